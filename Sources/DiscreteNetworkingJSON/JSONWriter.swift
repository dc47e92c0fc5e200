public import Foundation

extension JSONValue {
    /// The canonical text of the value: keys sorted by their UTF-8 bytes (code point order), no whitespace,
    /// only the escapes required by RFC 8259 section 7, numbers as their literals.
    ///
    /// The basis of signatures and cache keys. Equal values have equal texts, except where `==` ignores
    /// notation: `1` and `1.0`, or composed and decomposed forms of a string.
    public var canonicalText: String { String(decoding: JSONWriter.bytes(of: self), as: UTF8.self) }

    /// The ``canonicalText`` in UTF-8.
    public var canonicalData: Data { Data(JSONWriter.bytes(of: self)) }
}

package enum JSONWriter {
    /// A pending step of writing.
    private enum Step {
        case value(JSONValue)
        case name(String)
        case byte(UInt8)
    }

    // Iterative, because values can be nested to any depth.
    static func bytes(of value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        var steps = [Step.value(value)]
        while let step = steps.popLast() {
            switch step {
            case .byte(let byte): output.append(byte)
            case .name(let name):
                write(name, to: &output)
                output.append(UInt8(ascii: ":"))
            case .value(.array(let elements)):
                output.append(UInt8(ascii: "["))
                steps.append(.byte(UInt8(ascii: "]")))
                var index = elements.count
                while index > 0 {
                    index -= 1
                    steps.append(.value(elements[index]))
                    if index > 0 { steps.append(.byte(UInt8(ascii: ","))) }
                }
            case .value(.object(let members)):
                output.append(UInt8(ascii: "{"))
                steps.append(.byte(UInt8(ascii: "}")))
                let names = sorted(members.keys)
                var index = names.count
                while index > 0 {
                    index -= 1
                    steps.append(.value(members[names[index]] ?? .null))
                    steps.append(.name(names[index]))
                    if index > 0 { steps.append(.byte(UInt8(ascii: ","))) }
                }
            case .value(let scalar): write(scalar, to: &output)
            }
        }
        return output
    }

    /// Returns names sorted by their UTF-8 bytes; `<` on strings would compare normalized forms.
    package static func sorted(_ names: some Sequence<String>) -> [String] {
        names.sorted(by: precedes)
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                var index = 0
                while index < left.count, index < right.count, left[index] == right[index] { index += 1 }
                guard index < left.count, index < right.count else { return left.count < right.count }
                return left[index] < right[index]
            }
        }
    }

    private static func write(_ scalar: JSONValue, to output: inout [UInt8]) {
        switch scalar {
        case .bool(let bool): output.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): output.append(contentsOf: number.literal.utf8)
        case .string(let string): write(string, to: &output)
        case .null, .array, .object: output.append(contentsOf: "null".utf8)
        }
    }

    private static func write(_ string: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            var written = 0
            var index = 0
            while index < bytes.count {
                if needsEscape(bytes[index]) {
                    output += bytes[written..<index]
                    escape(bytes[index], to: &output)
                    written = index + 1
                }
                index += 1
            }
            output += bytes[written...]
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0..<0x20:
            output.append(contentsOf: "u00".utf8)
            output.append(UInt8(ascii: "0") + byte >> 4)
            output.append([UInt8]("0123456789abcdef".utf8)[Int(byte & 0x0F)])
        default: output.append(byte)
        }
    }
}
