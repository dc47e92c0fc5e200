import DiscreteNetworking
import DiscreteNetworkingSigning

/// The club's rule: the fields of the query as `k=v` pairs, sorted as such and joined by `;`, then the secret; of that
/// the MD5, as four numbers.
enum ClubSignature {
    static func signer(key: SigningKey) -> FieldSigner {
        FieldSigner(
            key: key, algorithm: .md5, separator: ";", order: .pairs, place: .query("sign"),
            fields: { request, _ in SignedFields(queryOf: request.url) }, text: { decimal($0.bytes) })
    }

    /// Four big-endian signed 32-bit integers, each through C's `abs`, written one after the other.
    static func decimal(_ digest: [UInt8]) -> String {
        stride(from: 0, to: digest.count, by: 4).map { start in
            let word = digest[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let number = Int32(bitPattern: word)
            // The backend is in C, where `abs(INT_MIN)` wraps round to -2147483648. Swift's would trap.
            return String(number < 0 ? 0 &- number : number)
        }.joined()
    }
}
