import Foundation

// Outputs that are types of the standard library or of Foundation. Their protocols are internal, so that these types get no
// public members, which could be ambiguous with members of an app or of another package.

/// An output that an empty response can be decoded to.
protocol EmptyOutput {
    static var emptyOutput: Self { get }
}

/// An output that can be created from the bytes of any payload.
protocol RawOutput: EmptyOutput, Sendable {
    /// Decodes a payload.
    static func output(of payload: Data, in response: APIResponse) throws -> Self
}

extension Optional: EmptyOutput {
    static var emptyOutput: Self { nil }
}

extension Data: RawOutput {
    static func output(of payload: Data, in response: APIResponse) -> Data { payload }
    static var emptyOutput: Data { Data() }
}

extension String: RawOutput {
    /// Decodes the text of a body in the charset of `Content-Type` (default: UTF-8). A JSON string in an
    /// envelope decodes to its value, and `null` to the empty string.
    static func output(of payload: Data, in response: APIResponse) throws -> String {
        if payload.count != response.body.count {
            let value = try JSONValue(parsing: payload)
            return value.isNull ? "" : value.string ?? value.canonicalText
        }
        let type = response.headers["Content-Type"]
        let encoding = type.flatMap(charset) ?? .utf8
        guard let text = String(data: payload, encoding: encoding) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [],
                    debugDescription: "The body is not text in the charset of \(type ?? "UTF-8")."))
        }
        return text
    }

    static var emptyOutput: String { "" }

    /// Returns the encoding of the charset parameter of a media type (RFC 9110 section 8.3.2).
    private static func charset(of contentType: String) -> Encoding? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard pair.count == 2, pair[0].lowercased() == "charset" else { continue }
            switch pair[1].trimmingCharacters(in: ["\""]).lowercased() {
            case "utf-8", "utf8": return .utf8
            case "us-ascii", "ascii": return .ascii
            case "iso-8859-1", "latin1": return .isoLatin1
            case "iso-8859-2": return .isoLatin2
            case "windows-1250": return .windowsCP1250
            case "windows-1251": return .windowsCP1251
            case "windows-1252": return .windowsCP1252
            case "utf-16": return .utf16
            case "utf-16be": return .utf16BigEndian
            case "utf-16le": return .utf16LittleEndian
            case "shift_jis": return .shiftJIS
            case "euc-jp": return .japaneseEUC
            case "iso-2022-jp": return .iso2022JP
            default: return nil
            }
        }
        return nil
    }
}
