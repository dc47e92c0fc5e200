public import DiscreteNetworking
public import Foundation

/// Why an authorization failed.
public enum OAuthError: Error, Sendable {
    /// The server refused, with an error code of RFC 6749 section 4.1.2.1 or 5.2, such as `access_denied`.
    case refused(code: String, description: String?)
    /// The response belongs to another authorization request: its `state` is missing or another one.
    case wrongState
    /// The response comes from another server (RFC 9207).
    case wrongIssuer(String?)
    /// The URL is no response to an authorization request: it is not the redirect URL, has no code, or has a param twice.
    case notAResponse
    /// The client or the server has no such URL.
    case missing(Endpoint)
    /// The codes of a device have expired before the user has logged in (RFC 8628 section 3.5).
    case expired
    /// The response of the server lacks a member, or a member has the wrong type.
    case invalidResponse(String)
    /// The call to the server failed.
    case call(APIError)

    /// A URL that an authorization needs.
    public enum Endpoint: String, Sendable, Hashable {
        /// Where the server sends the browser back to.
        case redirectURL
        /// The device authorization endpoint (RFC 8628 section 3.1).
        case deviceAuthorization
        /// The revocation endpoint (RFC 7009 section 2).
        case revocation
    }
}

extension OAuthError: LocalizedError {
    /// What happened and what to do about it, for developers, without secrets.
    public var errorDescription: String? {
        switch self {
        case .refused(let code, let description):
            "The authorization server refused with \(code)\(description.map { ": \($0)" } ?? "."); see RFC 6749 sections 4.1.2.1 and 5.2."
        case .wrongState:
            "The response belongs to another authorization request; begin a new one with OAuthClient.authorizationRequest(params:)."
        case .wrongIssuer(let issuer):
            "The response comes from \(issuer.map { $0.debugDescription } ?? "a server that does not say who it is"), not from OAuthServer.issuer; the code was not sent anywhere."
        case .notAResponse:
            "The URL is no response to the authorization request; pass the URL that the browser was redirected to, unchanged."
        case .missing(.redirectURL): "The client has no redirect URL; pass one to OAuthClient.init."
        case .missing(.deviceAuthorization):
            "The server has no device authorization endpoint; pass one to OAuthServer.init."
        case .missing(.revocation): "The server has no revocation endpoint; pass one to OAuthServer.init."
        case .expired: "The user did not log in before the code expired; begin again."
        case .invalidResponse(let what): "The authorization server's response is invalid: \(what)"
        case .call(let error): "The authorization server cannot be called: \(error.localizedDescription)"
        }
    }
}

extension OAuthError: SecretFreeError {
    package var reason: String { localizedDescription }

    /// The longest text of a server that is shown.
    private static let textLimit = 300

    /// What a server may repeat in its texts.
    private static let secretParams = [
        "code", "code_verifier", "client_secret", "refresh_token", "device_code", "token",
    ]

    /// The error that a response names, or that of the call.
    /// - Parameter params: The params of the request; secret ones are not shown.
    init(_ error: APIError, to params: Params = [:]) {
        guard let members = try? error.response?.json(), let code = members["error"].string,
            let text = Self.text(code)
        else {
            self = .call(error)
            return
        }
        let secrets = Self.secretParams.compactMap { params[$0]?.string }.filter { !$0.isEmpty }
        func shown(_ text: String) -> String? {
            Self.text(secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: Redaction.mark) })
        }
        self = .refused(
            code: shown(code) ?? text, description: members["error_description"].string.flatMap(shown))
    }

    /// Returns a text of a server without controls, shortened; `nil` if nothing is left.
    static func text(_ text: String) -> String? {
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let short = String(String.UnicodeScalarView(visible.prefix(textLimit)))
        return short.isEmpty ? nil : short
    }
}
