public import Foundation

/// The tokens issued by a login or a refresh (RFC 6749 section 5.1).
///
/// ```swift
/// SessionTokens(
///     accessToken: login.token, refreshToken: login.renewal,
///     expiry: login.validUntil)
/// ```
///
/// Its description and mirror never show a token.
public struct SessionTokens: Codable, Sendable, Hashable {
    /// The access token, sent with every call.
    public var accessToken: String
    /// The refresh token; `nil` if there is none.
    public var refreshToken: String?
    /// When the access token expires, by the device's clock; `nil` if unknown.
    public var expiry: Date?
    /// The type of the access token (RFC 6749 section 7.1), such as `Bearer`.
    public var tokenType: String
    /// Identifies the user, such as an account number; `nil` if unknown.
    ///
    /// The session compares it to decide whether a login changes the user. If either value is missing,
    /// tokens returned by ``SessionLogin/logIn(to:)`` are taken for the same user's, and tokens passed to
    /// ``TokenSession/adopt(_:)`` for another user's.
    public var user: String?

    /// Creates tokens; see the properties for each value.
    public init(
        accessToken: String, refreshToken: String? = nil, expiry: Date? = nil, tokenType: String = "Bearer",
        user: String? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiry = expiry
        self.tokenType = tokenType
        self.user = user
    }

    /// Creates tokens from a token endpoint's response; `expires_in` counts from the date of receipt. Tokens for more than a
    /// hundred years have no expiry.
    public init(_ answer: TokenResponse, user: String? = nil, receivedAt date: Date = Date()) {
        // No calendar can show the dates that some servers give for "never".
        let lifetime = answer.expiresIn.flatMap { $0 < 100 * 365 * 86_400 ? max($0, 0) : nil }
        self.init(
            accessToken: answer.accessToken, refreshToken: answer.refreshToken,
            expiry: lifetime.map(date.addingTimeInterval), tokenType: answer.tokenType, user: user)
    }

    /// Returns the tokens, completed with the refresh token and the user of those they replace if the
    /// response omitted them (RFC 6749 section 6).
    func replacing(_ old: SessionTokens?) -> SessionTokens {
        var tokens = self
        tokens.refreshToken = refreshToken ?? old?.refreshToken
        tokens.user = user ?? old?.user
        return tokens
    }
}

extension SessionTokens: SecretBearing {
    /// The type and the expiry; never a token.
    public var description: String {
        let end = expiry.map { ", until \(RFC3339.text(of: $0) ?? "an invalid date")" } ?? ""
        return "\(tokenType) token\(end)\(refreshToken == nil ? "" : ", with a refresh token")"
    }
}
