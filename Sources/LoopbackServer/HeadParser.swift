import Foundation

/// The grammar of request heads (RFC 9112, sections 3 and 5).
enum HeadParser {
    typealias Field = (name: String, value: String)

    static func requestLine(_ line: [UInt8]) throws -> (method: String, target: String, version: String) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty, parts[1].allSatisfy(isVisible) else {
            throw Rejection(400, "the request line is malformed")
        }
        let version = text(parts[2])
        let digits = Array(parts[2].dropFirst(5))
        guard version.hasPrefix("HTTP/"), digits.count == 3, isDigit(digits[0]), isDigit(digits[2]),
            digits[1] == UInt8(ascii: ".")
        else {
            throw Rejection(400, "the request line is malformed")
        }
        guard digits[0] == UInt8(ascii: "1") else {
            throw Rejection(505, "only HTTP/1 is spoken here")
        }
        return (text(parts[0]), text(parts[1]), version)
    }

    static func field(_ line: [UInt8]) throws -> Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
            throw Rejection(400, "a header line is malformed")
        }
        var value = line[(colon + 1)...]
        while let byte = value.first, isBlank(byte) { value.removeFirst() }
        while let byte = value.last, isBlank(byte) { value.removeLast() }
        guard value.allSatisfy({ isVisible($0) || isBlank($0) }) else {
            throw Rejection(400, "a header value holds a control character")
        }
        return (text(line[..<colon]), text(value))
    }

    /// Decodes UTF-8, otherwise ISO 8859-1, which cannot fail.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(bytes: bytes, encoding: .utf8)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isVisible(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
                default: false
                }
            }
    }
}
