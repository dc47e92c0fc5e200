#if !canImport(CryptoKit)
    /// The compression function of FIPS 180-4 section 6.1.2.
    enum SHA1 {
        static let start: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]

        /// - Parameter blocks: A multiple of 64 bytes.
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
            word &<< bits | word &>> (32 &- bits)
        }
    }

    /// The compression function of FIPS 180-4 section 6.2.2.
    ///
    /// Pointers, `while` and the masking shifts are not generic: in a debug build they take a fifth of the time that collections,
    /// ranges and `>>` take.
    enum SHA256 {
        static let start: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
            0x5BE0_CD19,
        ]

        /// - Parameter blocks: A multiple of 64 bytes.
        static func compress(_ state: inout [UInt32], _ blocks: UnsafeRawBufferPointer) {
            guard let first = blocks.baseAddress else { return }
            state.withUnsafeMutableBufferPointer { state in
                table.withUnsafeBufferPointer { table in
                    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                        let (state, table, words) = (
                            state.baseAddress!, table.baseAddress!, words.baseAddress!
                        )
                        var block = 0
                        while block < blocks.count {
                            expand(first + block, to: words)
                            compress(state, words, table)
                            block += 64
                        }
                    }
                }
            }
        }

        private static func expand(_ block: UnsafeRawPointer, to words: UnsafeMutablePointer<UInt32>) {
            UnsafeMutableRawPointer(words).copyMemory(from: block, byteCount: 64)
            var index = 0
            while index < 16 {
                words[index] = words[index].bigEndian
                index += 1
            }
            while index < 64 {
                let (old, new) = (words[index - 15], words[index - 2])
                words[index] =
                    (rotate(new, 17) ^ rotate(new, 19) ^ new &>> 10) &+ words[index - 7]
                    &+ (rotate(old, 7) ^ rotate(old, 18) ^ old &>> 3) &+ words[index - 16]
                index += 1
            }
        }

        private static func compress(
            _ state: UnsafeMutablePointer<UInt32>, _ words: UnsafePointer<UInt32>,
            _ table: UnsafePointer<UInt32>
        ) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            var step = 0
            while step < 64 {
                let first =
                    h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (e & f ^ ~e & g) &+ table[step]
                    &+ words[step]
                let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ (a & b ^ a & c ^ b & c)
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
                step += 1
            }
            state[0] &+= a
            state[1] &+= b
            state[2] &+= c
            state[3] &+= d
            state[4] &+= e
            state[5] &+= f
            state[6] &+= g
            state[7] &+= h
        }

        private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
            word &>> bits | word &<< (32 &- bits)
        }

        /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
        private static let table: [UInt32] = [
            0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
            0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
            0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
            0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
            0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
            0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
            0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
            0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
            0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
            0xC671_78F2,
        ]
    }
#endif
