/// The XXH64 hash (xxHash specification 0.1.1): a fast 64-bit checksum.
///
/// Cache files are replaced atomically, so a crash of the process leaves no partial file. After a power failure,
/// however, a file system may show a file of the right length with blocks of zeros, because names can reach the disk
/// before data does; only a checksum detects that. Chromium's disk cache uses CRC-32 for the same reason. A
/// cryptographic digest is much slower, and an attacker who can forge a file can forge its digest too.
enum XXHash64 {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )

    /// - Parameter seed: Changes the hash; used to chain hashes.
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        let primes = primes
        var hash: UInt64
        var index = 0
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index + offset, as: UInt64.self))
        }
        if bytes.count >= 32 {
            // Four independent accumulators, for instruction-level parallelism.
            var (a, b) = (seed &+ primes.0 &+ primes.1, seed &+ primes.1)
            var (c, d) = (seed, seed &- primes.0)
            while index + 32 <= bytes.count {
                (a, b) = (mixed(a, word(0)), mixed(b, word(8)))
                (c, d) = (mixed(c, word(16)), mixed(d, word(24)))
                index += 32
            }
            hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
            for sum in [a, b, c, d] { hash = (hash ^ mixed(0, sum)) &* primes.0 &+ primes.3 }
        } else {
            hash = seed &+ primes.4
        }
        hash &+= UInt64(bytes.count)
        while index + 8 <= bytes.count {
            hash = rotated(hash ^ mixed(0, word(0)), 27) &* primes.0 &+ primes.3
            index += 8
        }
        if index + 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            hash = rotated(hash ^ UInt64(half) &* primes.0, 23) &* primes.1 &+ primes.2
            index += 4
        }
        for byte in bytes[index...] { hash = rotated(hash ^ UInt64(byte) &* primes.4, 11) &* primes.0 }
        hash = (hash ^ hash >> 33) &* primes.1
        hash = (hash ^ hash >> 29) &* primes.2
        return hash ^ hash >> 32
    }

    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        rotated(sum &+ word &* primes.1, 31) &* primes.0
    }

    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }
}
