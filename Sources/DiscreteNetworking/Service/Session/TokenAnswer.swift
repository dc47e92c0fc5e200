import Foundation

/// The answer of a token endpoint as RFC 6749 section 5.1 writes it: the output of a login's or a refresh's
/// manager, where the backend keeps to it.
///
/// ```swift
/// final class RefreshManager: APIManager<TokenAnswer> {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "oauth/token"
///     let requestType = HTTPMethod.post
///     override var usesSession: Bool { false }
/// }
/// ```
public struct TokenAnswer: Decodable, Sendable, Hashable {
    /// `access_token`, which may not be empty.
    public let accessToken: String
    /// `token_type`; `Bearer` where it is left out.
    public let tokenType: String
    /// `expires_in`, in seconds. Also read where it is a string of digits, as some servers write it.
    public let expiresIn: TimeInterval?
    /// `refresh_token`
    public let refreshToken: String?
    /// `scope`, separated by spaces.
    public let scope: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try values.decode(String.self, forKey: .accessToken)
        guard !accessToken.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken, in: values, debugDescription: "The token is empty.")
        }
        tokenType = try values.decodeIfPresent(String.self, forKey: .tokenType) ?? "Bearer"
        expiresIn = try Self.seconds(in: values)
        refreshToken = try values.decodeIfPresent(String.self, forKey: .refreshToken)
        scope = try values.decodeIfPresent(String.self, forKey: .scope)
    }

    private static func seconds(in values: KeyedDecodingContainer<CodingKeys>) throws -> TimeInterval? {
        guard let text = try? values.decodeIfPresent(String.self, forKey: .expiresIn) else {
            return try values.decodeIfPresent(TimeInterval.self, forKey: .expiresIn)
        }
        guard let seconds = TimeInterval(text), seconds.isFinite else {
            throw DecodingError.dataCorruptedError(
                forKey: .expiresIn, in: values, debugDescription: "This is no number of seconds.")
        }
        return seconds
    }
}

extension TokenAnswer: SecretBearing {
    /// The type; never a token.
    public var description: String { "\(tokenType) token" }
}
