#if !canImport(CryptoKit)
    import Foundation

    /// The compression function of RFC 1321 section 3.4.
    enum MD5 {
        static let start: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]

        /// - Parameter blocks: A multiple of 64 bytes.
        static func compress(_ state: inout [UInt32], _ blocks: UnsafeRawBufferPointer) {
            table.withUnsafeBufferPointer { table in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { words in
                    for block in stride(from: 0, to: blocks.count, by: 64) {
                        for index in 0..<16 {
                            words[index] = UInt32(
                                littleEndian: blocks.loadUnaligned(
                                    fromByteOffset: block + index * 4, as: UInt32.self))
                        }
                        compress(&state, words, table)
                    }
                }
            }
        }

        private static func compress(
            _ state: inout [UInt32], _ words: UnsafeMutableBufferPointer<UInt32>,
            _ table: UnsafeBufferPointer<UInt32>
        ) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let mixed: UInt32
                let word: Int
                let shift: UInt32
                switch step >> 4 {
                case 0: (mixed, word, shift) = (b & c | ~b & d, step, amount(step, 7, 12, 17, 22))
                case 1: (mixed, word, shift) = (b & d | c & ~d, 5 * step + 1, amount(step, 5, 9, 14, 20))
                case 2: (mixed, word, shift) = (b ^ c ^ d, 3 * step + 5, amount(step, 4, 11, 16, 23))
                default: (mixed, word, shift) = (c ^ (b | ~d), 7 * step, amount(step, 6, 10, 15, 21))
                }
                let sum = a &+ mixed &+ table[step] &+ words[word & 15]
                (a, d, c, b) = (d, c, b, b &+ (sum &<< shift | sum &>> (32 &- shift)))
            }
            state[0] &+= a
            state[1] &+= b
            state[2] &+= c
            state[3] &+= d
        }

        private static func amount(
            _ step: Int, _ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32
        ) -> UInt32 {
            switch step & 3 {
            case 0: first
            case 1: second
            case 2: third
            default: fourth
            }
        }

        /// The integer part of 2³² · |sin(i)| for i from 1 to 64, in radians.
        private static let table: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
    }
#endif
