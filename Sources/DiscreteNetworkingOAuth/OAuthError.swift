public import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
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

    /// The error that a response names, otherwise the error of the call.
    init(_ error: APIError) {
        self = (try? error.response?.json()).flatMap { Self($0, error.redaction) } ?? .call(error)
    }

    /// The error that a response names (RFC 6749 section 5.2); `nil` if it names none.
    /// - Parameter redaction: Hides what the request has sent, which a server may repeat.
    init?(_ members: JSONValue, _ redaction: Redaction) {
        guard let code = members["error"].string.flatMap({ Self.text($0, redaction) }) else { return nil }
        self = .refused(
            code: code, description: members["error_description"].string.flatMap { Self.text($0, redaction) })
    }

    /// Returns a text of a server without secrets and invisible characters, shortened; `nil` if nothing is left.
    static func text(_ text: String, _ redaction: Redaction = .standard) -> String? {
        let visible = redaction.redacted(sentence: text).unicodeScalars.filter { !isInvisible($0) }
        let short = String(String.UnicodeScalarView(visible.prefix(textLimit)))
        return short.isEmpty ? nil : short
    }

    /// Whether this is a control character, a line separator, or a format character, such as one that changes the direction of
    /// writing (UAX #9).
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
