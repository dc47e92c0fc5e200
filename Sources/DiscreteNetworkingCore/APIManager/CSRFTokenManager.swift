import Foundation

extension CSRFProtection {
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
        self.init(header: header, place: .fetch) { order, dispatcher in
            let manager = CSRFTokenManager(endpoint, order, dispatcher)
            let payload = try await manager.load(with: [:])
            let json = try? JSONValue(parsing: payload)
            let text = if let path { json?[path: path]?.string } else { json?.string ?? payload.text }
            guard let token = text?.trimmingCharacters(in: .whitespacesAndNewlines), Self.isValid(token)
            else {
                throw InvalidCSRFToken()
            }
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
        self.init(header: header, place: .cookie(cookie)) { order, dispatcher in
            let manager = CSRFTokenManager(endpoint, order, dispatcher, rules: ResponseRules(envelope: .bare))
            _ = try await manager.load(with: [:])
            return ""
        }
    }
}

/// The endpoint that responds with a CSRF token, or with the cookie that holds it.
private final class CSRFTokenManager: APIManager<Data> {
    let serviceIdentifier: ServiceIdentifier
    let methodName: String
    let requestType = HTTPMethod.get
    private let order: CSRFProtection.Order
    private let rules: ResponseRules

    init(
        _ endpoint: String, _ order: CSRFProtection.Order, _ dispatcher: any CallDispatcher,
        rules: ResponseRules = ResponseRules()
    ) {
        (serviceIdentifier, methodName, self.order, self.rules) = (order.service, endpoint, order, rules)
        super.init()
        if let proxy = dispatcher as? ApiProxy { self.proxy = proxy }
    }

    override var usesSession: Bool { order.usesSession }
    override var responseRules: ResponseRules { rules }
    override var sharesIdenticalRequests: Bool? { false }
    override var hidesResponses: Bool { true }
}

extension Data {
    fileprivate var text: String? { String(data: self, encoding: .utf8) }
}
