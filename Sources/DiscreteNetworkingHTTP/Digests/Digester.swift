import Foundation

#if canImport(CryptoKit)
    import CryptoKit

    /// Makes a fingerprint of bytes that come piece by piece.
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

        /// The fingerprint of all bytes so far.
        package func finish() -> MessageDigest {
            func bytes(_ hash: some HashFunction) -> [UInt8] { Array(hash.finalize()) }
            return MessageDigest(algorithm, bytes: bytes(hash))
        }
    }
#else
    /// Makes a fingerprint of bytes that come piece by piece.
    ///
    /// MD5, SHA-1 and SHA-256 are built alike: blocks of 64 bytes change a state of 32-bit words, and the
    /// last block ends with the number of bits (RFC 1321 section 3, FIPS 180-4 section 5).
    package struct Digester {
        package let algorithm: DigestAlgorithm
        private var state: [UInt32]
        /// The beginning of a block.
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

        /// The fingerprint of all bytes so far.
        package func finish() -> MessageDigest {
            var end = self
            let bits = count &* 8
            let zeros = (119 - Int(count & 63)) & 63
            end.update([0x80] + [UInt8](repeating: 0, count: zeros))
            let isLittle = algorithm == .md5
            withUnsafeBytes(of: isLittle ? bits.littleEndian : bits.bigEndian) { end.update($0) }
            let bytes = end.state.flatMap { word in
                withUnsafeBytes(of: isLittle ? word.littleEndian : word.bigEndian) { Array($0) }
            }
            return MessageDigest(algorithm, bytes: bytes)
        }
    }
#endif
