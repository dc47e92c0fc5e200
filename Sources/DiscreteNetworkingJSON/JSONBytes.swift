import Foundation

/// The bytes of a text, for as long as their owner lends them.
///
/// A read behind the end gives 0, which no JSON text contains, so that a scan needs no second check for the end.
struct JSONBytes {
    private let base: UnsafeRawPointer
    let count: Int

    init(_ buffer: UnsafeRawBufferPointer) {
        // Without bytes there is no address, and nothing is read.
        base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        count = buffer.count
    }

    /// The byte at an index; 0 outside of the text.
    subscript(index: Int) -> UInt8 {
        @inline(__always) get {
            guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
            // In bounds: checked in the line above.
            return base.load(fromByteOffset: index, as: UInt8.self)
        }
    }

    /// The bytes of a range, which must be in bounds.
    @inline(__always)
    func buffer(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// Returns the text of a range. Invalid UTF-8 is repaired; the scan of a string rejects it.
    @inline(__always)
    func text(_ range: Range<Int>) -> String { String(decoding: buffer(range), as: UTF8.self) }

    /// Whether the bytes at an index equal a name.
    @inline(__always)
    func hasPrefix(_ name: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard let start = name.baseAddress else { return true }
        guard index >= 0, name.count <= count, index <= count - name.count else { return false }
        // In bounds: both ranges have `name.count` bytes, checked in the line above.
        return memcmp(base + index, start, name.count) == 0
    }

    /// Returns the index of the first byte from `start` that ends a run of plain text in a string: a quote, a backslash, a
    /// control character or a byte that is not ASCII. Returns `count` if there is none.
    @inline(__always)
    func endOfASCII(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        return firstIndex(from: start) { word in
            let quote = word ^ (0x22 * ones)
            let backslash = word ^ (0x5C * ones)
            return (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
                | (word &- 0x20 * ones) & ~word | word
        } orByte: {
            $0 == 0x22 || $0 == 0x5C || $0 < 0x20 || $0 >= 0x80
        }
    }

    /// Returns the index of the first quote or backslash from `start`; `count` if there is none.
    @inline(__always)
    func firstQuoteOrBackslash(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        return firstIndex(from: start) { word in
            let quote = word ^ (0x22 * ones)
            let backslash = word ^ (0x5C * ones)
            return (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
        } orByte: {
            $0 == 0x22 || $0 == 0x5C
        }
    }

    /// Looks at eight bytes at a time.
    /// - Parameter match: Sets the top bit of each byte that matches. A borrow may set it in bytes above the first match
    ///   too, never below.
    @inline(__always)
    private func firstIndex(
        from start: Int, where match: (UInt64) -> UInt64, orByte: (UInt8) -> Bool
    ) -> Int {
        precondition(start >= 0)
        var index = start
        while index <= count - 8 {
            // In bounds: `index` is not negative, and eight bytes follow it.
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = match(word) & 0x8080_8080_8080_8080
            if found != 0 { return index + found.trailingZeroBitCount >> 3 }
            index += 8
        }
        while index < count, !orByte(self[index]) { index += 1 }
        return index
    }

    /// Whether two scalars of three bytes each are at an index, and no surrogates and overlong forms.
    /// - Returns: Their first bytes; `nil` for others, and near the end.
    @inline(__always)
    func twoScalarsOfThreeBytes(at index: Int) -> (UInt8, UInt8)? {
        guard index >= 0, index <= count - 8 else { return nil }
        // In bounds: checked in the line above.
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        guard word & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0 else { return nil }
        let (first, second) = (UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 24))
        // What may follow 0xE0 and 0xED is restricted (Unicode Standard, table 3-7).
        guard first != 0xE0, first != 0xED, second != 0xE0, second != 0xED else { return nil }
        return (first, second)
    }

    /// Returns the index after the whitespace at `start`.
    @inline(__always)
    func endOfWhitespace(from start: Int) -> Int {
        var index = start
        while true {
            switch self[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return index
            }
        }
    }
}
