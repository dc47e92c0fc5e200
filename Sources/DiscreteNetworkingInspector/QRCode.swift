/// A QR code of a text in bytes (ISO/IEC 18004:2015), with error correction of level L: a screen is not dirty.
struct QRCode {
    /// The modules by rows; `true` is dark. Without the quiet zone.
    let modules: [[Bool]]

    /// - Returns: `nil` for a text of more than 230 bytes.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.all.first(where: { bytes.count <= $0.capacity }) else { return nil }
        let codewords = version.interleaved(version.dataCodewords(bytes))
        let drawn = QRMatrix(version, codewords)
        modules = (0..<8).map(drawn.masked).min { $0.penalty < $1.penalty }?.modules ?? []
    }

    /// The code in lines of half blocks, with a quiet zone of four modules. Light modules are drawn, so that the code can
    /// be read on a dark terminal.
    func lines() -> [String] {
        let quiet = 4
        func isDrawn(_ row: Int, _ column: Int) -> Bool {
            let isInside = modules.indices.contains(row) && modules.indices.contains(column)
            return !(isInside && modules[row][column])
        }
        return stride(from: -quiet, to: modules.count + quiet, by: 2).map { row in
            (-quiet..<modules.count + quiet).map { column in
                switch (isDrawn(row, column), isDrawn(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}

/// A size of QR codes, of level L.
struct QRVersion {
    let number: Int
    /// The number of codewords for error correction in each block.
    let correction: Int
    /// The number of data codewords of each block.
    let blocks: [Int]
    /// The centers of the alignment patterns in rows and columns.
    let alignment: [Int]

    /// Versions 1 to 9, the first with a length of 8 bits (ISO/IEC 18004:2015, tables 3, 9 and E.1).
    static let all = [
        QRVersion(number: 1, correction: 7, blocks: [19], alignment: []),
        QRVersion(number: 2, correction: 10, blocks: [34], alignment: [6, 18]),
        QRVersion(number: 3, correction: 15, blocks: [55], alignment: [6, 22]),
        QRVersion(number: 4, correction: 20, blocks: [80], alignment: [6, 26]),
        QRVersion(number: 5, correction: 26, blocks: [108], alignment: [6, 30]),
        QRVersion(number: 6, correction: 18, blocks: [68, 68], alignment: [6, 34]),
        QRVersion(number: 7, correction: 20, blocks: [78, 78], alignment: [6, 22, 38]),
        QRVersion(number: 8, correction: 24, blocks: [97, 97], alignment: [6, 24, 42]),
        QRVersion(number: 9, correction: 30, blocks: [116, 116], alignment: [6, 26, 46]),
    ]

    var size: Int { 17 + 4 * number }
    var dataCount: Int { blocks.reduce(0, +) }
    /// The bytes of a text that fit: without a mode of 4 bits and a length of 8 bits.
    var capacity: Int { dataCount - 2 }

    /// The mode, the length, the bytes, and padding.
    func dataCodewords(_ bytes: [UInt8]) -> [UInt8] {
        // Everything is shifted by the four bits of the mode.
        let shifted = [UInt8(bytes.count)] + bytes
        var words = [0x40 | shifted[0] >> 4]
        for (byte, next) in zip(shifted, shifted.dropFirst() + [0]) { words.append(byte << 4 | next >> 4) }
        for index in 0..<dataCount - words.count { words.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
        return words
    }

    /// The data and the error correction of all blocks, one codeword of each in turn.
    func interleaved(_ data: [UInt8]) -> [UInt8] {
        var start = 0
        let parts = blocks.map { count in
            defer { start += count }
            return Array(data[start..<start + count])
        }
        let corrections = parts.map { ReedSolomon.correction(of: $0, count: correction) }
        let rounds = { (rows: [[UInt8]]) in
            (0..<(rows.map(\.count).max() ?? 0)).flatMap { index in
                rows.filter { $0.indices.contains(index) }.map { $0[index] }
            }
        }
        return rounds(parts) + rounds(corrections)
    }
}

/// Error correction by Reed and Solomon over the field of 256 elements with the polynomial 0x11D.
enum ReedSolomon {
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (result, left, right) = (UInt8(0), left, right)
        while right > 0 {
            if right & 1 == 1 { result ^= left }
            left = left << 1 ^ (left & 0x80 == 0 ? 0 : 0x1D)
            right >>= 1
        }
        return result
    }

    /// The remainder of the data divided by (x - 1)(x - 2)(x - 4)….
    static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        var (divisor, root) = ([UInt8](repeating: 0, count: count - 1) + [1], UInt8(1))
        for _ in 0..<count {
            for index in 0..<count {
                divisor[index] = product(divisor[index], root) ^ (index + 1 < count ? divisor[index + 1] : 0)
            }
            root = product(root, 2)
        }
        return data.reduce(into: [UInt8](repeating: 0, count: count)) { rest, byte in
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= product(divisor[index], factor) }
        }
    }
}
