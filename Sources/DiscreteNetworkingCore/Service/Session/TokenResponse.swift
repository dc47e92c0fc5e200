public import Foundation

/// The response of a token endpoint (RFC 6749 section 5.1), as the output of a login or refresh manager.
/// Decoders that convert keys from snake case read it too.
///
/// ```swift
/// final class RefreshManager: APIManager<TokenResponse> {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "oauth/token"
///     let requestType = HTTPMethod.post
///     override var usesSession: Bool { false }
/// }
/// ```
public struct TokenResponse: Decodable, Sendable, Hashable {
    /// `access_token`; not empty.
    public let accessToken: String
    /// `token_type`. Default: `Bearer`.
    public let tokenType: String
    /// `expires_in`, in seconds. Also decoded from a string of digits, which some servers send.
    public let expiresIn: TimeInterval?
    /// `refresh_token`.
    public let refreshToken: String?
    /// `scope`, separated by spaces.
    public let scope: String?

    /// A parameter name of RFC 6749, or that name as converted by the decoder's key strategy.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        init(_ name: String, _ converted: String, in values: KeyedDecodingContainer<Key>) {
            let key = Key(stringValue: converted)
            self = values.contains(key) ? key : Key(stringValue: name)
        }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let token = Key("access_token", "accessToken", in: values)
        accessToken = try values.decode(String.self, forKey: token)
        guard !accessToken.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: token, in: values, debugDescription: "The access token is empty.")
        }
        let type = Key("token_type", "tokenType", in: values)
        tokenType = try values.decodeIfPresent(String.self, forKey: type) ?? "Bearer"
        expiresIn = try Self.seconds(in: values, Key("expires_in", "expiresIn", in: values))
        let refresh = Key("refresh_token", "refreshToken", in: values)
        refreshToken = try values.decodeIfPresent(String.self, forKey: refresh)
        scope = try values.decodeIfPresent(String.self, forKey: Key(stringValue: "scope"))
    }

    private static func seconds(in values: KeyedDecodingContainer<Key>, _ key: Key) throws -> TimeInterval? {
        guard let text = try? values.decodeIfPresent(String.self, forKey: key) else {
            return try values.decodeIfPresent(TimeInterval.self, forKey: key)
        }
        guard let seconds = TimeInterval(text), seconds.isFinite else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: values, debugDescription: "Not a number of seconds.")
        }
        return seconds
    }
}

extension TokenResponse: SecretBearing {
    /// The token type; never a token.
    public var description: String { "\(tokenType) token" }
}
