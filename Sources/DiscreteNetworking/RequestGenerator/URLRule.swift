import Foundation

/// How a URL is put together. Works on text that is already percent-encoded, so nothing is encoded
/// twice, and puts every addition behind the authority, so that none can change the host.
enum URLRule {
    /// `baseURL / apiVersion / path`, with the base URL's query kept at the end.
    static func join(baseURL: URL, apiVersion: String?, path: String) throws(InvalidRequest) -> URL {
        let base = baseURL.absoluteString
        let scheme = baseURL.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", let host = baseURL.host, !host.isEmpty else {
            throw InvalidRequest(
                "The service's base URL needs the scheme http or https and a host, such as https://api.example.com."
            )
        }
        guard baseURL.user == nil, baseURL.password == nil else {
            throw InvalidRequest(
                "The service's base URL may not hold a user name or password; send them in a header.")
        }
        guard baseURL.fragment == nil else {
            throw InvalidRequest("The service's base URL may not have a fragment ('#').")
        }
        let question = base.firstIndex(of: "?")
        var text = String(base[..<(question ?? base.endIndex)])
        if let apiVersion {
            append(try PathTemplate.path(apiVersion, what: "API version"), to: &text)
        }
        append(path, to: &text)
        if let question { text += base[question...] }
        guard let url = URL(string: text) else {
            throw InvalidRequest("The base URL, API version and method name do not make a URL together.")
        }
        return url
    }

    /// The URL with more pairs at the end of its query.
    static func appending(query: String, to url: URL) throws(InvalidRequest) -> URL {
        guard !query.isEmpty else { return url }
        var text = url.absoluteString
        var fragment = ""
        if let hash = text.firstIndex(of: "#") {
            fragment = String(text[hash...])
            text = String(text[..<hash])
        }
        if !text.contains("?") {
            text += "?"
        } else if let last = text.last, last != "?", last != "&" {
            text += "&"
        }
        guard let longer = URL(string: text + query + fragment) else {
            throw InvalidRequest("The URL does not take a query.")
        }
        return longer
    }

    private static func append(_ path: String, to text: inout String) {
        guard !path.isEmpty else { return }
        if !text.hasSuffix("/") { text += "/" }
        text += path
    }
}

extension APICall {
    /// The default URL rule with another base or version: `baseURL / apiVersion / path`.
    ///
    /// ```swift
    /// func url(for call: APICall) throws -> URL {
    ///     try call.url(baseURL: baseURL, apiVersion: "gateway/v3")
    /// }
    /// ```
    /// The base URL may have a path, a trailing slash, a port and a query; the query is kept. Nothing in
    /// the version or the path can change the scheme, host or port.
    /// - Throws: ``InvalidRequest`` where the base URL is not `http` or `https` with a host, or carries
    ///   a user name or a fragment.
    public func url(baseURL: URL, apiVersion: String? = nil) throws -> URL {
        try URLRule.join(baseURL: baseURL, apiVersion: apiVersion, path: path)
    }
}
