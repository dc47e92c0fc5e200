#if !canImport(CryptoKit)
    /// The block cipher AES with a key of 256 bits (FIPS 197).
    ///
    /// For the sample on Linux only: its table look-ups take a time that depends on the key. An app takes a library.
    struct AES256 {
        typealias Block = [UInt8]
        static let blockSize = 16

        private static let rounds = 14
        private let roundKeys: [Block]

        /// - Parameter key: 32 bytes.
        init(key: [UInt8]) {
            precondition(key.count == 32, "AES-256 needs a key of 32 bytes.")
            var words = (0..<8).map { Array(key[($0 * 4)..<($0 * 4 + 4)]) }
            var constant: UInt8 = 1
            for index in 8..<(4 * (Self.rounds + 1)) {
                var word = words[index - 1]
                if index % 8 == 0 {
                    word = (Array(word[1...]) + [word[0]]).map { Self.substitutions[Int($0)] }
                    word[0] ^= constant
                    constant = Self.doubled(constant)
                } else if index % 8 == 4 {
                    word = word.map { Self.substitutions[Int($0)] }
                }
                words.append(zip(words[index - 8], word).map { $0 ^ $1 })
            }
            roundKeys = stride(from: 0, to: words.count, by: 4).map { Array(words[$0..<($0 + 4)].joined()) }
        }

        /// Encrypts one block.
        func encrypted(_ block: Block) -> Block {
            var state = Self.added(block, roundKeys[0])
            for round in 1...Self.rounds {
                state = Self.shiftedRows(state.map { Self.substitutions[Int($0)] })
                if round < Self.rounds { state = Self.mixedColumns(state) }
                state = Self.added(state, roundKeys[round])
            }
            return state
        }

        private static func added(_ one: Block, _ other: Block) -> Block { zip(one, other).map { $0 ^ $1 } }

        /// The block is a square of four columns.
        private static func shiftedRows(_ state: Block) -> Block {
            (0..<blockSize).map { state[($0 + 4 * ($0 % 4)) % blockSize] }
        }

        private static func mixedColumns(_ state: Block) -> Block {
            (0..<blockSize).map { index in
                let column = index / 4 * 4
                func byte(_ below: Int) -> UInt8 { state[column + (index + below) % 4] }
                return doubled(byte(0)) ^ doubled(byte(1)) ^ byte(1) ^ byte(2) ^ byte(3)
            }
        }

        /// The product with x in GF(2⁸).
        private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B) }

        /// The inverse of each byte in GF(2⁸), and an affine transformation (section 5.1.1).
        private static let substitutions: [UInt8] = {
            // The powers of x + 1 are all bytes but 0.
            var powers: [UInt8] = [1]
            while powers.count < 255 {
                powers.append(powers[powers.count - 1] ^ doubled(powers[powers.count - 1]))
            }
            var table = [UInt8](repeating: 0x63, count: 256)
            for (exponent, power) in powers.enumerated() {
                let inverse = powers[(255 - exponent) % 255]
                table[Int(power)] = (0...4).reduce(0x63) { sum, turn in
                    sum ^ (inverse << turn | UInt8(UInt16(inverse) >> (8 - turn)))
                }
            }
            return table
        }()
    }
#endif
