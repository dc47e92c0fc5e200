import Foundation

// The texts of strings that a scan has found to be valid.
extension JSONBytes {
    /// Returns the text of a string.
    /// - Parameters:
    ///   - start: The index after the opening quote.
    ///   - kind: The kind of the string.
    @inline(__always)
    func string(at start: Int, _ kind: JSONTape.Kind) -> String {
        if kind == .escaped { return unescaped(start..<endOfString(at: start, kind)) }
        return text(start..<endOfString(at: start, kind))
    }

    /// Returns the index of the closing quote.
    @inline(__always)
    func endOfString(at start: Int, _ kind: JSONTape.Kind) -> Int {
        var end = firstQuoteOrBackslash(from: start)
        while self[end] == UInt8(ascii: "\\") { end = firstQuoteOrBackslash(from: end + 2) }
        return min(end, count)
    }

    /// Returns the number of UTF-16 code `\u` at an index, which has four hexadecimal digits; `nil` if it has not.
    func codeUnit(at start: Int) -> UInt32? {
        var unit: UInt32 = 0
        for index in start..<start + 4 {
            let byte = self[index]
            switch byte {
            case 0x30...0x39: unit = unit << 4 | UInt32(byte - 0x30)
            case 0x41...0x46, 0x61...0x66: unit = unit << 4 | UInt32(byte & 0x0F + 9)
            default: return nil
            }
        }
        return unit
    }

    @inline(never)
    private func unescaped(_ range: Range<Int>) -> String {
        // No escape is longer than its text: six bytes for at most three, twelve for four.
        String(unsafeUninitializedCapacity: range.count) { output in
            var used = 0
            var index = range.lowerBound
            while index < range.upperBound {
                let end = min(firstQuoteOrBackslash(from: index), range.upperBound)
                let run = buffer(index..<end)
                // In bounds: what is written is never longer than what was read, and `output` has room for all of it.
                precondition(used + run.count <= output.count)
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[used...])
                    .copyMemory(from: run)
                used += run.count
                guard end < range.upperBound else { break }
                index = appendEscape(at: end, to: output, &used)
            }
            return used
        }
    }

    /// Returns the index after an escape.
    private func appendEscape(
        at start: Int, to output: UnsafeMutableBufferPointer<UInt8>, _ used: inout Int
    ) -> Int {
        func append(_ byte: UInt8) {
            precondition(used < output.count)
            output[used] = byte
            used += 1
        }
        switch self[start + 1] {
        case UInt8(ascii: "b"): append(0x08)
        case UInt8(ascii: "f"): append(0x0C)
        case UInt8(ascii: "n"): append(0x0A)
        case UInt8(ascii: "r"): append(0x0D)
        case UInt8(ascii: "t"): append(0x09)
        case UInt8(ascii: "u"):
            var code = codeUnit(at: start + 2) ?? 0xFFFD
            var end = start + 6
            if code & 0xFC00 == 0xD800 {
                let low = codeUnit(at: start + 8) ?? 0xDC00
                code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
                end = start + 12
            }
            // The scan rejects all other surrogates.
            for byte in UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                append(byte)
            }
            return end
        case let literal: append(literal)
        }
        return start + 2
    }
}
