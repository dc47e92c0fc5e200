public import DiscreteNetworkingCore
public import DiscreteNetworkingHTTP
public import DiscreteNetworkingJSON
import Foundation

extension CSRFProtection {
    /// - Parameters:
    ///   - cookie: The name of the cookie that holds the token; `nil` if the fetch returns it.
    ///   - fetch: `nil` if the token comes from a cookie that some response sets.
    init(header: HTTPFields.Name, cookie: String? = nil, fetch: CSRFDesk.Fetch?) {
        self.init(
            header: header, cookie: cookie, rejects: Self.mentionsCSRF,
            machinery: Machinery(CSRFDesk(fetch: fetch)))
    }

    /// Repeats a cookie in a header, percent-decoded. Without the cookie, the header is not sent.
    ///
    /// The cookie is read from the ``ServiceConfiguration/cookies`` that are sent with the request. A rejected call is retried
    /// if a response has set another value meanwhile.
    /// - Parameters:
    ///   - cookie: The name of the cookie. Default: the name in axios and Angular.
    ///   - header: The header. Default: the header in axios and Angular.
    public init(cookie: String = "XSRF-TOKEN", header: HTTPFields.Name = "X-XSRF-TOKEN") {
        self.init(header: header, cookie: cookie, fetch: nil)
    }

    /// Sends a token that an endpoint of the service responds with.
    ///
    /// ```swift
    /// CSRFProtection(
    ///     endpoint: "security/csrf_token/", at: "result", header: "X-CSRFToken")
    /// ```
    /// The endpoint is called with GET, with the service's headers, session and cookies. Its response is not shown in logs and
    /// recordings.
    /// - Parameters:
    ///   - endpoint: The method name of the endpoint.
    ///   - path: The path of the token in the payload of the response; `nil` if the payload is the token.
    ///   - header: The header.
    public init(endpoint: String, at path: JSONPath? = nil, header: HTTPFields.Name) {
        self.init(header: header) { order, proxy in
            let manager = CSRFTokenManager(endpoint, order, proxy)
            let payload = try await manager.load(with: [:])
            let json = try? JSONValue(parsing: payload)
            let text = if let path { json?[path: path]?.string } else { json?.string ?? payload.text }
            guard let text else {
                throw InvalidCSRFToken(
                    description: "the response of \(endpoint) has no text\(path.map { " at \($0)" } ?? "").")
            }
            let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard Self.isValid(token) else { throw InvalidCSRFToken() }
            return token
        }
    }

    /// Repeats a cookie in a header, as ``init(cookie:header:)``, and calls an endpoint that sets the cookie.
    ///
    /// ```swift
    /// // Laravel Sanctum.
    /// CSRFProtection(cookie: "XSRF-TOKEN", setBy: "sanctum/csrf-cookie")
    /// ```
    /// The endpoint is called with GET if an unsafe call is made without the cookie, and if the token was rejected. Its response
    /// is not read.
    public init(
        cookie: String = "XSRF-TOKEN", setBy endpoint: String, header: HTTPFields.Name = "X-XSRF-TOKEN"
    ) {
        self.init(header: header, cookie: cookie) { order, proxy in
            let manager = CSRFTokenManager(endpoint, order, proxy, rules: ResponseRules(envelope: .bare))
            _ = try await manager.load(with: [:])
            return ""
        }
    }

    /// Sends a token that a closure fetches.
    ///
    /// ```swift
    /// // SAP: the response to a GET with "X-CSRF-Token: Fetch" has the token.
    /// CSRFProtection(header: "X-CSRF-Token") { proxy in
    ///     let manager = TokenManager()
    ///     manager.proxy = proxy
    ///     _ = try await manager.load()
    ///     return manager.response?.headers["X-CSRF-Token"] ?? ""
    /// }
    /// ```
    /// An unsafe call of the closure itself is sent without a token.
    /// - Parameters:
    ///   - header: The header.
    ///   - fetch: Returns the token. What it throws ends the calls that wait. Its parameter is the proxy of the call that needs
    ///     the token.
    public init(
        header: HTTPFields.Name,
        fetch: @escaping @MainActor @Sendable (_ proxy: ApiProxy) async throws -> String
    ) {
        self.init(header: header) { _, proxy in
            let token = try await fetch(proxy)
            guard Self.isValid(token) else { throw InvalidCSRFToken() }
            return token
        }
    }

    /// Returns whether the backend says that it misses a CSRF token: with 419, or with 400, 403 or 422 and `csrf` or `xsrf` in a
    /// header's name or in the first 64 KiB of the body.
    public static func mentionsCSRF(_ failure: FailureContext) -> Bool {
        guard let response = failure.response else { return false }
        switch response.status {
        case 419: return true
        case 400, 403, 422:
            let names = response.headers.map(\.name.canonicalName).filter { $0 != "set-cookie" }
            return names.contains(where: Self.mentions)
                || mentions(String(decoding: response.body.prefix(64 << 10), as: UTF8.self).lowercased())
        default: return false
        }
    }

    private static func mentions(_ text: String) -> Bool { text.contains("csrf") || text.contains("xsrf") }
}

/// The endpoint that responds with a CSRF token, or with the cookie that holds it.
private final class CSRFTokenManager: APIManager<Data> {
    let serviceIdentifier: ServiceIdentifier
    let methodName: String
    let requestType = HTTPMethod.get
    private let order: CSRFDesk.Order
    private let rules: ResponseRules

    init(
        _ endpoint: String, _ order: CSRFDesk.Order, _ proxy: ApiProxy,
        rules: ResponseRules = ResponseRules()
    ) {
        (serviceIdentifier, methodName, self.order, self.rules) = (order.service, endpoint, order, rules)
        super.init()
        self.proxy = proxy
        hidesResponses = true
    }

    override var usesSession: Bool { order.usesSession }
    override var responseRules: ResponseRules { rules }
    override var sharesIdenticalRequests: Bool? { false }
}

extension Data {
    fileprivate var text: String? { String(data: self, encoding: .utf8) }
}

/// There is no token that a header can have.
struct InvalidCSRFToken: Error, CustomStringConvertible {
    var description =
        "the token is empty, longer than 8192 bytes, or has a character that a header may not have."
}
