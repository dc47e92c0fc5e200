public import Foundation

/// Builds URLs from text that is already percent-encoded. Additions are placed after the authority, so none
/// of them can change the host.
enum URLRule {
    /// The parts of a URL.
    fileprivate struct Parts: Hashable, Sendable {
        let baseURL: URL
        let apiVersion: ExactText?
        let path: String
    }

    /// The URLs of method names without placeholders.
    fileprivate static let joined = Memo<Parts, URL>()

    /// Returns `baseURL / apiVersion / path`, followed by the base URL's query.
    static func join(baseURL: URL, apiVersion: String?, path: String) throws(InvalidRequestError) -> URL {
        let base = baseURL.absoluteString
        let scheme = baseURL.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", let host = baseURL.host, !host.isEmpty else {
            throw InvalidRequestError(
                "The service's base URL needs the scheme http or https and a host, such as https://api.example.com."
            )
        }
        guard baseURL.user == nil, baseURL.password == nil else {
            throw InvalidRequestError(
                "The service's base URL contains a user name or password; send credentials in a header.")
        }
        guard baseURL.fragment == nil else {
            throw InvalidRequestError("The service's base URL contains a fragment ('#'); remove it.")
        }
        let question = base.firstIndex(of: "?")
        var text = String(base[..<(question ?? base.endIndex)])
        if let apiVersion {
            append(try PathTemplate.path(apiVersion, what: "API version"), to: &text)
        }
        append(path, to: &text)
        if let question { text += base[question...] }
        guard let url = URL(string: text) else {
            throw InvalidRequestError("The base URL, API version and method name do not form a valid URL.")
        }
        return url
    }

    /// Rejects a method name with a leading slash where it could mean the root of the host as well as the URL of the service.
    static func checkLeadingSlash(
        of methodName: String, baseURL: URL, apiVersion: String?
    ) throws(InvalidRequestError) {
        let name = String(methodName.drop { $0 == "/" })
        let base = try join(baseURL: baseURL, apiVersion: apiVersion, path: "")
        guard base.path.contains(where: { $0 != "/" }) else { return }
        var below = base.absoluteString.prefix { $0 != "?" }
        if below.last != "/" { below += "/" }
        throw InvalidRequestError(
            "The method name \(methodName.debugDescription) starts with a slash, but the URL of the service has a path, so that it could mean two URLs; write \(name.debugDescription) for \(below)\(name), or override Service.url(for:) for a URL at the root of the host."
        )
    }

    /// Returns the URL with pairs appended to its query.
    static func appending(query: String, to url: URL) throws(InvalidRequestError) -> URL {
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
            throw InvalidRequestError("The URL with its query is invalid.")
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
    /// Returns the URL of the default rule with another base URL or version: `baseURL / apiVersion / path`.
    ///
    /// ```swift
    /// func url(for call: APICall) throws -> URL {
    ///     try call.url(baseURL: baseURL, apiVersion: "gateway/v3")
    /// }
    /// ```
    ///
    /// The base URL may have a path, a trailing slash, a port and a query; the query is kept. The version
    /// and the path cannot change the scheme, host or port.
    /// - Throws: ``InvalidRequestError`` if the base URL is not `http` or `https` with a host, or has a user
    ///   name or a fragment; if the method name starts with a slash and the base URL or the version has a path.
    public func url(baseURL: URL, apiVersion: String? = nil) throws -> URL {
        if methodName.utf8.first == UInt8(ascii: "/") {
            try URLRule.checkLeadingSlash(of: methodName, baseURL: baseURL, apiVersion: apiVersion)
        }
        // Only a path without values is requested repeatedly.
        guard !methodName.utf8.contains(UInt8(ascii: "{")) else {
            return try URLRule.join(baseURL: baseURL, apiVersion: apiVersion, path: path)
        }
        let parts = URLRule.Parts(baseURL: baseURL, apiVersion: apiVersion.map(ExactText.init), path: path)
        return try URLRule.joined.value(for: parts) { () throws(InvalidRequestError) in
            try URLRule.join(baseURL: baseURL, apiVersion: apiVersion, path: path)
        }
    }
}
