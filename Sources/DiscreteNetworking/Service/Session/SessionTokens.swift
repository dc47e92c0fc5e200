import Foundation

/// What a login or a refresh brings (RFC 6749 section 5.1).
///
/// ```swift
/// SessionTokens(accessToken: answer.token, refreshToken: answer.renewal, expiry: answer.validUntil)
/// ```
/// Its description and its mirror never show a token.
public struct SessionTokens: Codable, Sendable, Hashable {
    /// What goes out with every call.
    public var accessToken: String
    /// What a new access token is asked for with.
    public var refreshToken: String?
    /// From when on the access token is no longer good, by the clock of this device; `nil` where nobody said.
    public var expiry: Date?
    /// How the access token is used (RFC 6749 section 7.1), such as `Bearer`.
    public var tokenType: String
    /// Whose tokens these are, such as the user's number; `nil` where the app does not say.
    ///
    /// By it the session knows whether one who logs in is the one who was there. Where either name is missing, what
    /// ``SessionLogin/logIn(to:)`` returns is taken for the same user's, and what ``TokenSession/adopt(_:)`` is given
    /// for another's.
    public var user: String?

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

    /// The tokens of an answer that came at a date: `expires_in` counts from there.
    public init(_ answer: TokenResponse, user: String? = nil, receivedAt date: Date = Date()) {
        self.init(
            accessToken: answer.accessToken, refreshToken: answer.refreshToken,
            expiry: answer.expiresIn.map(date.addingTimeInterval), tokenType: answer.tokenType, user: user)
    }

    /// The same tokens with the refresh token and the user of those they replace, where the answer to the refresh left
    /// them out (RFC 6749 section 6).
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
        let end = expiry.map { ", until \(RFC3339.text(of: $0) ?? "an odd date")" } ?? ""
        return "\(tokenType) token\(end)\(refreshToken == nil ? "" : ", with a refresh token")"
    }
}
