public import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
public import Foundation

/// One login in a browser: an authorization request (RFC 6749 section 4.1.1) with PKCE (RFC 7636) and `state`.
///
/// ```swift
/// let request = try client.authorizationRequest()
/// let callback = try await openBrowser(at: request.url)
/// let tokens = try await client.tokens(from: callback, to: request, over: proxy)
/// ```
///
/// Keep it until the browser comes back. Each request accepts only the response to itself.
public struct AuthorizationRequest: Sendable, Hashable {
    /// The page to open.
    public let url: URL
    let state: String
    let verifier: String
    let redirectURL: URL

    init(_ client: OAuthClient, params: [String: String], state: String, verifier: String) throws(OAuthError)
    {
        guard let redirectURL = client.redirectURL else { throw .missing(.redirectURL) }
        self.state = state
        self.verifier = verifier
        self.redirectURL = redirectURL
        var own = [
            "response_type": "code", "client_id": client.identifier,
            "redirect_uri": redirectURL.absoluteString, "state": state,
            "code_challenge": Self.challenge(of: verifier), "code_challenge_method": "S256",
        ]
        if !client.scope.isEmpty { own["scope"] = client.scope }
        // What makes the request safe cannot be overridden.
        let all = params.merging(own) { $1 }
        guard var parts = URLComponents(url: client.server.authorization, resolvingAgainstBaseURL: true)
        else { throw .missing(.redirectURL) }
        let items = all.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        parts.queryItems = (parts.queryItems ?? []).filter { all[$0.name] == nil } + items
        // A plus is a space in a form.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        guard let url = parts.url else { throw .missing(.redirectURL) }
        self.url = url
    }

    // MARK: The response

    /// Returns the authorization code in the URL that the browser was redirected to.
    func code(in callback: URL, from server: OAuthServer) throws(OAuthError) -> String {
        guard let parts = URLComponents(url: callback, resolvingAgainstBaseURL: true),
            isRedirect(parts)
        else { throw .notAResponse }
        var values: [String: String] = [:]
        for item in parts.queryItems ?? [] {
            guard values.updateValue(item.value ?? "", forKey: item.name) == nil else { throw .notAResponse }
        }
        guard values["state"] == state else { throw .wrongState }
        // With `sendsIssuer` and no issuer to compare with, no response is accepted.
        if server.sendsIssuer || (server.issuer != nil && values["iss"] != nil) {
            guard let issuer = values["iss"], issuer == server.issuer else {
                throw .wrongIssuer(values["iss"].flatMap { OAuthError.text($0) })
            }
        }
        if let code = values["error"] {
            throw .refused(
                code: OAuthError.text(code) ?? "",
                description: Self.description(in: parts).flatMap { OAuthError.text($0) })
        }
        guard let code = values["code"], !code.isEmpty else { throw .notAResponse }
        return code
    }

    /// Returns `error_description`, in which a plus is a space (RFC 6749 section 4.1.2.1).
    private static func description(in parts: URLComponents) -> String? {
        parts.percentEncodedQueryItems?.first { $0.name == "error_description" }?.value?
            .replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }

    /// Whether a URL is the redirect URL, with any query.
    private func isRedirect(_ callback: URLComponents) -> Bool {
        guard let own = URLComponents(url: redirectURL, resolvingAgainstBaseURL: true) else { return false }
        return callback.scheme?.lowercased() == own.scheme?.lowercased()
            && callback.host?.lowercased() == own.host?.lowercased() && callback.port == own.port
            && callback.path == own.path
    }

    // MARK: PKCE

    /// `S256`: the SHA-256 of the verifier, in base64url (RFC 7636 section 4.2).
    static func challenge(of verifier: String) -> String {
        base64URL(MessageDigest(.sha256, of: verifier).bytes)
    }

    /// Returns 256 random bits as text, for a verifier (RFC 7636 section 4.1) or a state.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Base64url without padding (RFC 4648 section 5).
    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

extension AuthorizationRequest: SecretBearing {
    /// The server; never the state or the verifier.
    public var description: String { "AuthorizationRequest(\(url.host ?? ""))" }
}

extension OAuthClient {
    /// Creates an authorization request.
    /// - Parameter params: Further params for the server, such as `["prompt": "login"]`.
    /// - Throws: ``OAuthError/missing(_:)`` if the client has no redirect URL.
    public func authorizationRequest(params: [String: String] = [:]) throws(OAuthError)
        -> AuthorizationRequest
    {
        try AuthorizationRequest(
            self, params: params, state: AuthorizationRequest.random(),
            verifier: AuthorizationRequest.random())
    }

    /// Exchanges the code in the URL that the browser was redirected to for tokens (RFC 6749 section 4.1.3).
    /// - Parameters:
    ///   - callback: The URL, unchanged.
    ///   - request: The request that the browser was opened with.
    ///   - proxy: The proxy that sends the request for the tokens.
    /// - Throws: ``OAuthError``. The code is sent nowhere unless the response belongs to the request.
    @MainActor
    public func tokens(
        from callback: URL, to request: AuthorizationRequest, over proxy: ApiProxy = .shared
    ) async throws(OAuthError) -> OAuthTokens {
        let code = try request.code(in: callback, from: server)
        return try await tokens(
            [
                "grant_type": "authorization_code", "code": code, "code_verifier": request.verifier,
                "redirect_uri": request.redirectURL.absoluteString,
            ], over: proxy)
    }
}
