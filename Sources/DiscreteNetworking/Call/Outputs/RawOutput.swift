import Foundation

// Outputs that are types of the standard library or of Foundation. Their protocols are internal, so that these types get no
// public members, which could be ambiguous with members of an app or of another package.

/// An output that an empty response can be decoded to.
protocol EmptyOutput {
    static var emptyOutput: Self { get }
}

/// An output that can be created from the bytes of any payload.
protocol RawOutput: EmptyOutput, Sendable {
    /// Decodes the payload of a response.
    /// - Parameter isJSON: Whether the payload is a JSON text, by its place or its media type.
    static func output(of response: APIResponse, isJSON: Bool) throws -> Self
}

/// An output that may be `nil`.
protocol OptionalOutput: EmptyOutput {
    /// The type of the output that is not `nil`.
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalOutput {
    static var emptyOutput: Self { nil }
    static var wrapped: Any.Type { Wrapped.self }
}

extension Data: RawOutput {
    static func output(of response: APIResponse, isJSON: Bool) -> Data { response.payload }
    static var emptyOutput: Data { Data() }
}

extension String: RawOutput {
    /// Decodes a JSON string to its value, and a JSON `null` to the empty string. Any other body is text in the charset of
    /// `Content-Type` (default: UTF-8).
    static func output(of response: APIResponse, isJSON: Bool) throws -> String {
        let payload = response.payload
        let isPart = payload.count != response.body.count
        if isPart || isJSON && payload.mayBeScalar, let value = try? JSONValue(parsing: payload) {
            if let string = value.string { return string }
            if value.isNull { return "" }
            if isPart { return value.canonicalText }
        }
        let charset = response.headers.mediaType?.charset
        guard let text = String(data: payload, encoding: encoding(of: charset)) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [],
                    debugDescription: "The body is not text in the charset \(charset ?? "UTF-8")."))
        }
        return text
    }

    static var emptyOutput: String { "" }

    private static func encoding(of charset: String?) -> Encoding {
        switch charset {
        case "us-ascii", "ascii": .ascii
        case "iso-8859-1", "latin1": .isoLatin1
        case "iso-8859-2": .isoLatin2
        case "windows-1250": .windowsCP1250
        case "windows-1251": .windowsCP1251
        case "windows-1252": .windowsCP1252
        case "utf-16": .utf16
        case "utf-16be": .utf16BigEndian
        case "utf-16le": .utf16LittleEndian
        case "shift_jis": .shiftJIS
        case "euc-jp": .japaneseEUC
        case "iso-2022-jp": .iso2022JP
        default: .utf8
        }
    }
}

extension Data {
    /// Whether a JSON text is a string or `null`, and not an object, an array or a number, which may be long.
    fileprivate var mayBeScalar: Bool {
        let first = first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "n")
    }
}
