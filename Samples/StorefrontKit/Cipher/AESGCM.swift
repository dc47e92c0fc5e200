#if !canImport(CryptoKit)
    /// AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a nonce of 96 bits and a tag of 128. For the sample on Linux;
    /// see ``AES256``.
    struct AESGCM {
        /// The data was not sealed with this key and nonce, or was changed since.
        struct NotAuthentic: Error {}

        static let nonceSize = 12
        private static let tagSize = 16

        private let cipher: AES256
        private let hashKey: Element

        init(key: [UInt8]) {
            cipher = AES256(key: key)
            hashKey = Element(cipher.encrypted(AES256.Block(repeating: 0, count: AES256.blockSize)))
        }

        /// Returns the encrypted data, followed by the tag.
        /// - Parameter authenticated: Data that the tag covers as well, and that is not encrypted.
        func seal(_ plain: [UInt8], nonce: [UInt8], authenticating authenticated: [UInt8] = []) -> [UInt8] {
            let sealed = counted(plain, nonce)
            return sealed + tag(of: sealed, nonce, authenticated)
        }

        /// Returns the data.
        func open(
            _ sealed: [UInt8], nonce: [UInt8], authenticating authenticated: [UInt8] = []
        ) throws(NotAuthentic) -> [UInt8] {
            guard sealed.count >= Self.tagSize, nonce.count == Self.nonceSize else { throw NotAuthentic() }
            let data = Array(sealed.dropLast(Self.tagSize))
            // All bytes are compared, so that the time does not tell which one differs.
            let difference = zip(tag(of: data, nonce, authenticated), sealed.suffix(Self.tagSize))
                .reduce(0) { $0 | ($1.0 ^ $1.1) }
            guard difference == 0 else { throw NotAuthentic() }
            return counted(data, nonce)
        }

        /// Encrypts or decrypts (GCTR, section 6.5). The first counter block is that of the tag.
        private func counted(_ data: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
            stride(from: 0, to: data.count, by: AES256.blockSize).flatMap { start in
                let mask = cipher.encrypted(Self.block(nonce, UInt32(start / AES256.blockSize + 2)))
                return zip(data[start...], mask).map { $0 ^ $1 }
            }
        }

        private static func block(_ nonce: [UInt8], _ counter: UInt32) -> AES256.Block {
            nonce + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
        }

        private func tag(of data: [UInt8], _ nonce: [UInt8], _ authenticated: [UInt8]) -> [UInt8] {
            var hash = Element()
            for part in [authenticated, data] {
                for start in stride(from: 0, to: part.count, by: AES256.blockSize) {
                    hash = (hash + Element(part[start...].prefix(AES256.blockSize))) * hashKey
                }
            }
            let lengths = Element(high: UInt64(authenticated.count) * 8, low: UInt64(data.count) * 8)
            hash = (hash + lengths) * hashKey
            return zip(hash.bytes, cipher.encrypted(Self.block(nonce, 1))).map { $0 ^ $1 }
        }
    }

    /// An element of GF(2¹²⁸), whose first bit is the most significant one of `high` (section 6.3).
    private struct Element {
        var high: UInt64 = 0
        var low: UInt64 = 0

        init(high: UInt64 = 0, low: UInt64 = 0) {
            self.high = high
            self.low = low
        }

        /// From up to 16 bytes; those that are missing are 0.
        init(_ bytes: some Sequence<UInt8>) {
            for (index, byte) in bytes.enumerated() {
                if index < 8 {
                    high |= UInt64(byte) << (56 - 8 * index)
                } else {
                    low |= UInt64(byte) << (120 - 8 * index)
                }
            }
        }

        var bytes: [UInt8] {
            [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
        }

        static func + (one: Element, other: Element) -> Element {
            Element(high: one.high ^ other.high, low: one.low ^ other.low)
        }

        static func * (one: Element, other: Element) -> Element {
            var (product, power) = (Element(), other)
            for index in 0..<128 {
                let bit = index < 64 ? one.high >> (63 - index) : one.low >> (127 - index)
                if bit & 1 == 1 { product = product + power }
                let overflows = power.low & 1 == 1
                power.low = power.low >> 1 | power.high << 63
                power.high = power.high >> 1 ^ (overflows ? 0xE1 << 56 : 0)
            }
            return product
        }
    }
#endif
