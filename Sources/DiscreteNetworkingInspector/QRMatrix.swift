/// The modules of a QR code while it is drawn (ISO/IEC 18004:2015, chapter 7.7 to 7.10).
struct QRMatrix {
    private(set) var modules: [[Bool]]
    /// The modules of patterns, which no mask changes.
    private var isFixed: [[Bool]]
    private var size: Int { modules.count }

    init(_ version: QRVersion, _ codewords: [UInt8]) {
        let row = [Bool](repeating: false, count: version.size)
        modules = .init(repeating: row, count: version.size)
        isFixed = modules
        drawPatterns(version)
        drawFormat(mask: 0)
        drawVersion(version)
        draw(codewords)
    }

    /// Sets a module of a pattern.
    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard modules.indices.contains(row), modules.indices.contains(column) else { return }
        modules[row][column] = isDark
        isFixed[row][column] = true
    }

    private mutating func drawPatterns(_ version: QRVersion) {
        for index in 0..<size {
            fix(6, index, index.isMultiple(of: 2))
            fix(index, 6, index.isMultiple(of: 2))
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for down in -4...4 {
                for right in -4...4 {
                    let distance = max(abs(down), abs(right))
                    fix(row + down, column + right, distance != 2 && distance != 4)
                }
            }
        }
        let (first, last) = (version.alignment.first, version.alignment.last)
        for row in version.alignment {
            for column in version.alignment {
                // There are finder patterns.
                if (row, column) == (first, first) || (row, column) == (first, last)
                    || (row, column) == (last, first)
                {
                    continue
                }
                for down in -2...2 {
                    for right in -2...2 { fix(row + down, column + right, max(abs(down), abs(right)) != 1) }
                }
            }
        }
    }

    /// The level of error correction and the mask, twice, with a code of Bose, Chaudhuri and Hocquenghem.
    private mutating func drawFormat(mask: Int) {
        let data = 0b01 << 3 | mask
        var rest = data
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (data << 10 | rest) ^ 0x5412
        let bit = { (index: Int) in bits >> index & 1 == 1 }
        for index in 0...5 { fix(index, 8, bit(index)) }
        fix(7, 8, bit(6))
        fix(8, 8, bit(7))
        fix(8, 7, bit(8))
        for index in 9..<15 { fix(8, 14 - index, bit(index)) }
        for index in 0..<8 { fix(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { fix(size - 15 + index, 8, bit(index)) }
        fix(size - 8, 8, true)
    }

    private mutating func drawVersion(_ version: QRVersion) {
        guard version.number >= 7 else { return }
        var rest = version.number
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version.number << 12 | rest
        for index in 0..<18 {
            let (near, far) = (index / 3, size - 11 + index % 3)
            fix(near, far, bits >> index & 1 == 1)
            fix(far, near, bits >> index & 1 == 1)
        }
    }

    /// Two columns at a time from the right, upward and downward in turn.
    private mutating func draw(_ codewords: [UInt8]) {
        var bits = codewords.lazy.flatMap { word -> [Bool] in
            (0..<8).map { bit in word << bit & 0x80 != 0 }
        }.makeIterator()
        var isUpward = true
        for right in stride(from: size - 1, to: 0, by: -2) {
            // The column of the timing pattern is left out.
            let right = right <= 6 ? right - 1 : right
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row][column] {
                    modules[row][column] = bits.next() ?? false
                }
            }
            isUpward.toggle()
        }
    }

    // MARK: Masks

    /// Returns the code with a mask.
    func masked(_ mask: Int) -> QRMatrix {
        var copy = self
        for row in 0..<size {
            for column in 0..<size where !isFixed[row][column] && Self.inverts(mask, row, column) {
                copy.modules[row][column].toggle()
            }
        }
        copy.drawFormat(mask: mask)
        return copy
    }

    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    /// How hard it is to read: runs, blocks of four, what looks like a finder pattern, and too much of one color.
    var penalty: Int {
        let columns = modules.indices.map { column in modules.map { $0[column] } }
        let lines = (modules + columns).reduce(0) { $0 + Self.penalty(of: $1) }
        var blocks = 0
        for row in 0..<size - 1 {
            let (upper, lower) = (modules[row], modules[row + 1])
            for column in 0..<size - 1 {
                let corner = upper[column]
                if upper[column + 1] == corner, lower[column] == corner, lower[column + 1] == corner {
                    blocks += 3
                }
            }
        }
        let dark = modules.joined().filter { $0 }.count
        let deviation = abs(dark * 20 - size * size * 10) / (size * size)
        return lines + blocks + deviation * 10
    }

    private static func penalty(of line: [Bool]) -> Int {
        var (penalty, run) = (0, 1)
        for index in 1...line.count {
            if index < line.count, line[index] == line[index - 1] {
                run += 1
            } else {
                if run >= 5 { penalty += run - 2 }
                run = 1
            }
        }
        // What looks like a finder pattern, with four light modules after or before it.
        var latest = 0
        for index in line.indices {
            latest = (latest << 1 | (line[index] ? 1 : 0)) & 0b111_1111_1111
            if index >= 10, latest == 0b101_1101_0000 || latest == 0b000_0101_1101 { penalty += 40 }
        }
        return penalty
    }
}
