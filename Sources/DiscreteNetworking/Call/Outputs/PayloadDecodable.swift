import Foundation

/// An output created from the payload's bytes instead of the service's `JSONDecoder`: `Data`, `String`,
/// ``JSONValue``, ``NoContent``, or a custom format.
///
/// ```swift
/// extension Invoice: PayloadDecodable {
///     static func decode(_ payload: Data, of response: APIResponse) throws -> Invoice {
///         try Invoice(protobuf: payload)
///     }
/// }
/// ```
public protocol PayloadDecodable: Sendable {
    /// Decodes a payload.
    /// - Throws: Any error; the call fails with ``APIError/Kind/decoding(_:)``.
    static func decode(_ payload: Data, of response: APIResponse) throws -> Self
}

/// An output that an empty response can be decoded to: ``NoContent``, `Data`, `String`, ``JSONValue``
/// (`null`), and any optional (`nil`).
public protocol EmptyDecodable {
    /// The output of an empty response.
    static var empty: Self { get }
}

extension NoContent: PayloadDecodable, EmptyDecodable {
    public static func decode(_ payload: Data, of response: APIResponse) -> NoContent { NoContent() }
    public static var empty: NoContent { NoContent() }
}

extension Data: PayloadDecodable, EmptyDecodable {
    public static func decode(_ payload: Data, of response: APIResponse) -> Data { payload }
    public static var empty: Data { Data() }
}

extension JSONValue: PayloadDecodable, EmptyDecodable {
    public static func decode(_ payload: Data, of response: APIResponse) throws -> JSONValue {
        try JSONValue(parsing: payload)
    }
    public static var empty: JSONValue { .null }
}

extension Optional: EmptyDecodable {
    public static var empty: Self { nil }
}

extension String: PayloadDecodable, EmptyDecodable {
    /// Decodes the text of a body in the charset of `Content-Type` (default: UTF-8). A JSON string in an
    /// envelope decodes to its value, and `null` to the empty string.
    public static func decode(_ payload: Data, of response: APIResponse) throws -> String {
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

    public static var empty: String { "" }

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
