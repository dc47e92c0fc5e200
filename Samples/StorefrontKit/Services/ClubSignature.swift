import DiscreteNetworking

/// The club's rule: the fields of the query as `k=v`, sorted and joined by `;`, then the secret; of that the MD5,
/// as four numbers.
enum ClubSignature {
    static func signer(key: SigningKey) -> FieldSigner {
        FieldSigner(
            key: key, algorithm: .md5, separator: ";", place: .query("sign"),
            fields: { request, _ in SignedFields(queryOf: request.url) }, text: { decimal($0.bytes) })
    }

    /// Four big-endian signed 32-bit integers, of which the absolute values are written one after the other.
    static func decimal(_ digest: [UInt8]) -> String {
        stride(from: 0, to: digest.count, by: 4).map { start in
            let word = digest[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            // Not abs: that of the smallest integer is none of the same type.
            return String(Int32(bitPattern: word).magnitude)
        }.joined()
    }
}
