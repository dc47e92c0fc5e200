public import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// A hash function.
public enum DigestAlgorithm: Sendable, Hashable, CaseIterable {
    /// MD5 (RFC 1321). Not collision-resistant; only for backends that require it.
    case md5
    /// SHA-1 (FIPS 180-4). Not collision-resistant; only for backends that require it.
    case sha1
    /// SHA-256 (FIPS 180-4).
    case sha256

    /// The length of the digest, in bytes.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }
}

/// The digest of data.
///
/// ```swift
/// MessageDigest(.sha256, of: body).hexadecimal      // "ba7816bf…"
/// MessageDigest(.md5, of: "a=1&b=2").bytes          // 16 bytes
/// MessageDigest.hmac(.sha256, of: body, key: Data(secret.utf8))
/// ```
///
/// Uses CryptoKit where available.
public struct MessageDigest: Sendable, Hashable {
    /// The hash function.
    public let algorithm: DigestAlgorithm
    /// The bytes of the digest.
    public let bytes: [UInt8]

    /// Computes the digest of data in memory.
    public init(_ algorithm: DigestAlgorithm, of data: some DataProtocol) {
        var digester = Digester(algorithm)
        digester.update(data)
        self = digester.finish()
    }

    /// Computes the digest of a text's UTF-8 bytes.
    public init(_ algorithm: DigestAlgorithm, of text: String) {
        self.init(algorithm, of: Data(text.utf8))
    }

    init(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// The digest in lowercase hexadecimal digits.
    public var hexadecimal: String { hexadecimal(prefix: bytes.count) }

    /// Returns the first bytes in lowercase hexadecimal digits.
    package func hexadecimal(prefix count: Int) -> String {
        String(unsafeUninitializedCapacity: count * 2) { text in
            for (index, byte) in bytes.prefix(count).enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return count * 2
        }
    }

    private static func digit(_ half: UInt8) -> UInt8 {
        half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10
    }

    /// Computes the HMAC of data with a secret key (RFC 2104).
    public static func hmac(
        _ algorithm: DigestAlgorithm, of data: some DataProtocol, key: some DataProtocol
    ) -> MessageDigest {
        // The block size of all three functions is 64 bytes.
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

#if canImport(CryptoKit)
    /// Computes a digest incrementally.
    package struct Digester {
        package let algorithm: DigestAlgorithm
        private var hash: any HashFunction

        package init(_ algorithm: DigestAlgorithm) {
            self.algorithm = algorithm
            switch algorithm {
            case .md5: hash = Insecure.MD5()
            case .sha1: hash = Insecure.SHA1()
            case .sha256: hash = SHA256()
            }
        }

        package mutating func update(_ data: some DataProtocol) { hash.update(data: data) }

        /// Returns the digest of all data so far.
        package func finish() -> MessageDigest {
            func bytes(_ hash: some HashFunction) -> [UInt8] { Array(hash.finalize()) }
            return MessageDigest(algorithm, bytes: bytes(hash))
        }
    }
#else
    /// Computes a digest incrementally.
    ///
    /// MD5, SHA-1 and SHA-256 share the Merkle–Damgård construction: 64-byte blocks update a state of
    /// 32-bit words, and the last block ends with the length in bits (RFC 1321 section 3, FIPS 180-4
    /// section 5).
    package struct Digester {
        package let algorithm: DigestAlgorithm
        private var state: [UInt32]
        /// The incomplete last block.
        private var pending: [UInt8] = []
        private var count: UInt64 = 0
        private let compress: (inout [UInt32], UnsafeRawBufferPointer) -> Void

        package init(_ algorithm: DigestAlgorithm) {
            self.algorithm = algorithm
            switch algorithm {
            case .md5: (state, compress) = (MD5.start, MD5.compress)
            case .sha1: (state, compress) = (SHA1.start, SHA1.compress)
            case .sha256: (state, compress) = (SHA256.start, SHA256.compress)
            }
            pending.reserveCapacity(64)
        }

        package mutating func update(_ data: some DataProtocol) {
            for region in data.regions { region.withUnsafeBytes { update($0) } }
        }

        private mutating func update(_ bytes: UnsafeRawBufferPointer) {
            count += UInt64(bytes.count)
            var rest = bytes[...]
            if !pending.isEmpty {
                let head = rest.prefix(64 - pending.count)
                pending += head
                rest = rest.dropFirst(head.count)
                guard pending.count == 64 else { return }
                pending.withUnsafeBytes { compress(&state, $0) }
                pending.removeAll(keepingCapacity: true)
            }
            let whole = rest.count & ~63
            if whole > 0 { compress(&state, UnsafeRawBufferPointer(rebasing: rest.prefix(whole))) }
            pending += rest.dropFirst(whole)
        }

        /// Returns the digest of all data so far.
        package func finish() -> MessageDigest {
            let bits = count &* 8
            let zeros = (119 - Int(count & 63)) & 63
            let isLittle = algorithm == .md5
            var end = pending
            end.reserveCapacity(128)
            end.append(0x80)
            end.append(contentsOf: repeatElement(0, count: zeros))
            withUnsafeBytes(of: isLittle ? bits.littleEndian : bits.bigEndian) { end.append(contentsOf: $0) }
            var state = state
            end.withUnsafeBytes { compress(&state, $0) }
            return MessageDigest(
                algorithm,
                bytes: [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { bytes, count in
                    for (index, word) in state.enumerated() {
                        UnsafeMutableRawBufferPointer(bytes).storeBytes(
                            of: isLittle ? word.littleEndian : word.bigEndian, toByteOffset: index * 4,
                            as: UInt32.self)
                    }
                    count = algorithm.byteCount
                })
        }
    }
#endif
