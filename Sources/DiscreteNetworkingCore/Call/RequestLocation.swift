import Foundation

/// Where a request went and with which timeout, for the texts of errors.
struct RequestLocation: Sendable {
    private let url: URL
    private let pathParams: [String: JSONValue]
    /// The timeout of the request, in seconds.
    let timeout: TimeInterval

    init(_ request: APIRequest) {
        url = request.url
        pathParams = request.notes.pathParams
        timeout = request.timeout
    }

    /// Returns scheme, host, port and path, with secret path params redacted; `nil` if the URL is malformed.
    func text(_ redaction: Redaction) -> String? {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.user = nil
        parts?.password = nil
        parts?.percentEncodedQuery = nil
        parts?.fragment = nil
        guard let url = parts?.url else { return nil }
        var visible = APIRequest(url: url)
        visible.notes.pathParams = pathParams
        return redaction.redacted(sentence: redaction.redacted(visible))
    }

    /// Returns a number of seconds: `20 s`, `0.5 s`.
    static func text(ofSeconds seconds: TimeInterval) -> String {
        let isWhole = seconds.rounded() == seconds && seconds.magnitude < 1e9
        return isWhole ? "\(Int64(seconds)) s" : "\(seconds) s"
    }
}
