/// The checksum of gzip and Ethernet (RFC 1952 section 8): it finds every damage to 32 bits in a row, and of others all
/// but one in four thousand million.
///
/// It is here, beside the digests, because a cache's files are to be read at about the speed of the disk, and nobody
/// who could forge them could not replace them as well.
struct CRC32 {
    private var state: UInt32 = ~0

    var value: UInt32 { ~state }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var crc = state
        Self.tables.withUnsafeBufferPointer { table in
            var index = 0
            // Eight bytes at a time: a table says what each does after those behind it.
            while index + 8 <= bytes.count {
                let low =
                    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)) ^ crc
                let high = UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
                crc = table[0x700 | Int(low & 0xFF)] ^ table[0x600 | Int(low >> 8 & 0xFF)]
                crc ^= table[0x500 | Int(low >> 16 & 0xFF)] ^ table[0x400 | Int(low >> 24)]
                crc ^= table[0x300 | Int(high & 0xFF)] ^ table[0x200 | Int(high >> 8 & 0xFF)]
                crc ^= table[0x100 | Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                index += 8
            }
            for byte in bytes[index...] { crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
        }
        state = crc
    }

    /// Eight tables of 256: what a byte does to the checksum, with zero to seven bytes behind it.
    private static let tables: [UInt32] = {
        var tables = (0..<256 as Range<UInt32>).map { byte in
            (0..<8).reduce(byte) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        for index in 256..<2048 {
            let before = tables[index - 256]
            tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()
}
