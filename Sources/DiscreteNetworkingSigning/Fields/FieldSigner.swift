public import DiscreteNetworkingCore
import Foundation

/// Signs the fields as sorted `name=value` pairs, joined, with the secret at their end or as the key of an HMAC: common rules.
///
/// ```swift
/// // sign = SHA-256("a=1&b=2" + secret), as one more param
/// FieldSigner(key: SigningKey(secret))
/// // X-Sign = MD5("a=1;b=2" + "&key=" + secret)
/// FieldSigner(
///     key: SigningKey("&key=" + secret), algorithm: .md5, separator: ";",
///     place: .header("X-Sign"))
/// // sign = HMAC-SHA-256("a=1&b=2", secret)
/// FieldSigner(key: SigningKey(secret), keyUse: .hmac)
/// ```
///
/// Empty fields and the signature itself are not signed. To sign a timestamp and a nonce, add them in
/// <doc:/DiscreteNetworking/Service/extraParams(for:)>, which is called for each attempt.
public struct FieldSigner: RequestSigner {
    /// How the secret key becomes part of the digest.
    public enum KeyUse: Sendable, Hashable {
        /// The digest of the joined fields, followed by the key.
        case appended
        /// The HMAC of the joined fields with the key (RFC 2104).
        case hmac
    }

    /// The secret key.
    public var key: SigningKey
    /// How the key is used. Default: ``KeyUse/appended``.
    public var keyUse: KeyUse
    /// The digest algorithm. Default: SHA-256.
    public var algorithm: DigestAlgorithm
    /// The separator of the pairs. Default: `&`.
    public var separator: String
    /// How the fields are sorted. Default: by their names.
    public var order: SignedFields.Order
    /// The location of the signature. Default: the param `sign`.
    public var place: SignatureLocation
    /// Returns the fields to sign. Default: the params of the call.
    public var fields: @Sendable (APIRequest, APICall) throws -> SignedFields
    /// Returns the text of the digest. Default: lowercase hexadecimal digits.
    public var text: @Sendable (MessageDigest) -> String

    /// Creates a signer; see the properties for each value.
    public init(
        key: SigningKey, keyUse: KeyUse = .appended, algorithm: DigestAlgorithm = .sha256,
        separator: String = "&",
        order: SignedFields.Order = .names,
        place: SignatureLocation = .param("sign"),
        fields: @escaping @Sendable (APIRequest, APICall) throws -> SignedFields = {
            SignedFields($1.params)
        },
        text: @escaping @Sendable (MessageDigest) -> String = { $0.hexadecimal }
    ) {
        self.key = key
        self.keyUse = keyUse
        self.algorithm = algorithm
        self.separator = separator
        self.order = order
        self.place = place
        self.fields = fields
        self.text = text
    }

    public func sign(_ request: inout APIRequest, for call: APICall) throws {
        try place.write(signature(of: fields(request, call)), into: &request)
    }

    public var varyingFields: VaryingFields {
        var fields = VaryingFields()
        switch place {
        case .header(let name): fields.headers = [name]
        case .query(let name): fields.queryItems = [name]
        case .param(let name): fields.bodyFields = [name]
        }
        fields.keys = [key.fingerprint]
        return fields
    }

    /// Returns the signature of fields.
    public func signature(of fields: SignedFields) -> String {
        let line = fields.removing(place.name).leavingOutEmpty().sorted(by: order).joined(
            separator: separator)
        return switch keyUse {
        case .appended: text(MessageDigest(algorithm, of: Data(line.utf8) + key.data))
        case .hmac: text(MessageDigest.hmac(algorithm, of: Data(line.utf8), key: key.data))
        }
    }
}
