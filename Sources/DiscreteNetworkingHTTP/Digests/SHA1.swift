#if !canImport(CryptoKit)
    /// The block function of FIPS 180-4 section 6.1.2.
    enum SHA1 {
        static let start: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]

        /// - Parameter blocks: a whole number of 64 bytes.
        static func compress(_ state: inout [UInt32], _ blocks: UnsafeRawBufferPointer) {
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
                for block in stride(from: 0, to: blocks.count, by: 64) {
                    for index in 0..<16 {
                        words[index] = UInt32(
                            bigEndian: blocks.loadUnaligned(
                                fromByteOffset: block + index * 4, as: UInt32.self))
                    }
                    for index in 16..<80 {
                        words[index] = rotate(
                            words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
                    }
                    compress(&state, words)
                }
            }
        }

        private static func compress(_ state: inout [UInt32], _ words: UnsafeMutableBufferPointer<UInt32>) {
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for step in 0..<80 {
                let mixed: UInt32
                let constant: UInt32
                switch step {
                case 0..<20: (mixed, constant) = (b & c ^ ~b & d, 0x5A82_7999)
                case 20..<40: (mixed, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (mixed, constant) = (b & c ^ b & d ^ c & d, 0x8F1B_BCDC)
                default: (mixed, constant) = (b ^ c ^ d, 0xCA62_C1D6)
                }
                let sum = rotate(a, 5) &+ mixed &+ e &+ constant &+ words[step]
                (e, d, c, b, a) = (d, c, rotate(b, 30), a, sum)
            }
            state[0] &+= a
            state[1] &+= b
            state[2] &+= c
            state[3] &+= d
            state[4] &+= e
        }

        private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
            word << bits | word >> (32 - bits)
        }
    }
#endif
