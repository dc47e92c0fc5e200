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
    /// - Parameter limit: The maximum size of a text in UTF-8, in bytes.
    static func output(of response: APIResponse, as form: PayloadForm, limit: Int) throws -> Self
}

/// What the bytes of a payload are, by its place and the media type of the response.
enum PayloadForm {
    /// A JSON value inside of another one, in UTF-8.
    case partOfJSON
    /// A whole body that is JSON.
    case json(charset: String?)
    /// Any other whole body.
    case text(charset: String?)
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
    static func output(of response: APIResponse, as form: PayloadForm, limit: Int) -> Data {
        response.payload
    }
    static var emptyOutput: Data { Data() }
}

extension String: RawOutput {
    /// Decodes a JSON string to its value, and a JSON `null` to the empty string. Any other body is text in the charset of
    /// `Content-Type` (default: UTF-8).
    static func output(of response: APIResponse, as form: PayloadForm, limit: Int) throws -> String {
        let text: Data
        switch form {
        case .partOfJSON:
            let value = try JSONValue(parsing: response.payload)
            return value.isNull ? "" : value.string ?? value.canonicalText
        case .json(let charset):
            text = try Charset.json(response.payload, named: charset, limit: limit)
            if text.mayBeScalar, let value = try? JSONValue(parsing: text) {
                if let string = value.string { return string }
                if value.isNull { return "" }
            }
        case .text(let name):
            let charset = name.flatMap(Charset.init) ?? .utf8
            text = try charset.utf8(of: response.payload, limit: limit)
        }
        guard let string = String(data: text, encoding: .utf8) else { throw CharsetError.damaged }
        return string
    }

    static var emptyOutput: String { "" }
}

extension Data {
    /// Whether a JSON text is a string or `null`, and not an object, an array or a number, which may be long.
    fileprivate var mayBeScalar: Bool {
        let first = first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "n")
    }
}
