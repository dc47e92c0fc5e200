import Foundation

/// The rule of many backends: the fields as `name=text`, sorted and joined, then the secret, then a digest.
///
/// ```swift
/// // sign = SHA-256("a=1&b=2" + secret), as one more param
/// FieldSigner(key: secret)
/// // X-Sign = MD5("a=1;b=2" + "&key=" + secret)
/// FieldSigner(key: SigningKey("&key=" + secret), algorithm: .md5, separator: ";", place: .header("X-Sign"))
/// ```
/// Empty fields and the signature itself are left out. A backend that wants a time and a nonce among the
/// fields gets them from ``Service/extraParams(for:)``, which is asked anew for each attempt, too.
public struct FieldSigner: RequestSigner {
    public var key: SigningKey
    public var algorithm: DigestAlgorithm
    public var separator: String
    /// How the fields are sorted. Default: by their names.
    public var order: SignedFields.Order
    public var place: SignaturePlace
    /// What is signed. Default: the params of the call.
    public var fields: @Sendable (APIRequest, APICall) throws -> SignedFields
    /// How the digest is written. Default: lower-case hexadecimal digits.
    public var text: @Sendable (MessageDigest) -> String

    public init(
        key: SigningKey, algorithm: DigestAlgorithm = .sha256, separator: String = "&",
        order: SignedFields.Order = .names,
        place: SignaturePlace = .param("sign"),
        fields: @escaping @Sendable (APIRequest, APICall) throws -> SignedFields = {
            SignedFields($1.params)
        },
        text: @escaping @Sendable (MessageDigest) -> String = { $0.hexadecimal }
    ) {
        self.key = key
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
        var fields: VaryingFields =
            switch place {
            case .header(let name): VaryingFields(headers: [name])
            case .query(let name), .param(let name): VaryingFields(params: [name])
            }
        fields.keys = [key.fingerprint]
        return fields
    }

    /// The signature of some fields.
    public func signature(of fields: SignedFields) -> String {
        let line = fields.removing(place.name).leavingOutEmpty().sorted(by: order).joined(
            separator: separator)
        return text(MessageDigest(algorithm, of: Data(line.utf8) + key.data))
    }
}
