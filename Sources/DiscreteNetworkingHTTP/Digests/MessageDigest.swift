import Foundation

/// A function that makes a short fingerprint of any number of bytes.
public enum DigestAlgorithm: Sendable, Hashable, CaseIterable {
    /// RFC 1321. Broken against forgery; for backends that insist on it.
    case md5
    /// FIPS 180-4. Broken against forgery; for backends that insist on it.
    case sha1
    /// FIPS 180-4.
    case sha256

    /// How many bytes the fingerprint has.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }
}

/// The fingerprint of some bytes.
///
/// ```swift
/// MessageDigest(.sha256, of: body).hexadecimal      // "ba7816bf…"
/// MessageDigest(.md5, of: signedText).bytes         // 16 bytes
/// MessageDigest.hmac(.sha256, of: text, key: secret)
/// ```
///
/// By CryptoKit where there is one.
public struct MessageDigest: Sendable, Hashable {
    public let algorithm: DigestAlgorithm
    /// As many as the algorithm says.
    public let bytes: [UInt8]

    /// The fingerprint of bytes in memory.
    public init(_ algorithm: DigestAlgorithm, of data: some DataProtocol) {
        var digester = Digester(algorithm)
        digester.update(data)
        self = digester.finish()
    }

    /// The fingerprint of a text's UTF-8.
    public init(_ algorithm: DigestAlgorithm, of text: String) {
        self.init(algorithm, of: Data(text.utf8))
    }

    init(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Two lower-case digits for each byte.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The fingerprint that only who has the key can make: HMAC (RFC 2104).
    public static func hmac(
        _ algorithm: DigestAlgorithm, of data: some DataProtocol, key: some DataProtocol
    ) -> MessageDigest {
        // The block of all three has 64 bytes.
        var block = key.count > 64 ? MessageDigest(algorithm, of: key).bytes : Array(key)
        block += [UInt8](repeating: 0, count: 64 - block.count)
        var inner = Digester(algorithm)
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(data)
        var outer = Digester(algorithm)
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(inner.finish().bytes)
        return outer.finish()
    }
}
