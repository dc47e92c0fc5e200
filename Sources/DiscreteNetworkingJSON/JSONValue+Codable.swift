public import Foundation

extension JSONNumber: Codable {
    /// Decodes a number by value: decoders do not provide the literal.
    ///
    /// With `JSONDecoder`, 64-bit integers and numbers representable as `Decimal` are exact; others are
    /// rounded to `Double`. Use ``JSONValue/init(parsing:)-(Data)`` to preserve literals.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = JSONNumber(decoding: container) {
            self = number
        } else {
            throw DecodingError.typeMismatch(
                JSONNumber.self,
                .init(codingPath: decoder.codingPath, debugDescription: "Expected a number."))
        }
    }

    init?(decoding container: any SingleValueDecodingContainer) {
        if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self.init(integer)
        } else {
            let double = (try? container.decode(Double.self)).flatMap { JSONNumber($0) }
            let decimal = (try? container.decode(Decimal.self)).flatMap { JSONNumber($0) }
            // Out of its range, `Decimal` is NaN, zero or wrong, depending on the platform; otherwise it is
            // more precise.
            if let decimal, double.map({ $0.double == decimal.double }) ?? true {
                self = decimal
            } else if let double {
                self = double
            } else {
                return nil
            }
        }
    }

    /// Encodes the value, not its notation: as the first of `Int64`, `UInt64`, `Decimal` and `Double` that
    /// represents it. With `JSONEncoder`, the first three are exact.
    /// - Throws: `EncodingError` if the encoder rejects it; values beyond the range of `Double` are
    ///   infinite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let int64 {
            try container.encode(int64)
        } else if let uint64 {
            try container.encode(uint64)
        } else if let decimal {
            try container.encode(decimal)
        } else {
            try container.encode(double)
        }
    }
}

extension JSONValue: Codable {
    /// Decodes any value; see ``JSONNumber/init(from:)`` for numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            // Before numbers: some decoders decode true as 1, but none decodes 1 as true.
            self = .bool(bool)
        } else if let number = JSONNumber(decoding: container) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value; see ``JSONNumber/encode(to:)`` for numbers. Use ``canonicalData`` to preserve
    /// literals.
    /// - Throws: `EncodingError` for a value nested more than 512 levels deep.
    public func encode(to encoder: any Encoder) throws {
        guard encoder.codingPath.count <= JSONWalker.depthLimit else {
            throw EncodingError.invalidValue(
                kind,
                .init(
                    codingPath: [],
                    debugDescription: "The value is nested more than \(JSONWalker.depthLimit) levels deep."))
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue {
    /// Creates a value by encoding an `Encodable` value. A ``JSONValue``, or a type that wraps one, is used
    /// as it is, preserving literals. UUIDs are written in lower case (RFC 9562 section 4).
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - encoder: The encoder. Default: ``makeEncoder()``.
    /// - Throws: The error of encoding, or ``JSONError`` if the encoder's output is not JSON.
    public init(encoding value: some Encodable, encoder: JSONEncoder = JSONValue.makeEncoder()) throws {
        switch value {
        case let value as JSONValue: self = value
        case let value as any JSONRepresentable: self = value.jsonValue
        default:
            self = EncodedUUIDs.lowercased(in: try JSONValue(parsing: encoder.encode(value)), of: value)
        }
    }

    /// Decodes the value as a `Decodable` type.
    ///
    /// ```swift
    /// let user = try json["data"]?.decoded(as: User.self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder. Default: ``makeDecoder()``.
    /// - Throws: The error of decoding.
    public func decoded<T: Decodable>(
        as type: T.Type = T.self, decoder: JSONDecoder = JSONValue.makeDecoder()
    ) throws -> T {
        try decoder.decode(type, fromUntrusted: canonicalData)
    }
}

extension JSONValue {
    /// Returns a new encoder that writes dates in UTC as RFC 3339, and NaN and infinities as `"NaN"`,
    /// `"Infinity"` and `"-Infinity"`.
    public static func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            try JSONValue(date).encode(to: encoder)
        }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }

    /// Returns a new decoder for what ``makeEncoder()`` writes, and for RFC 3339 dates with any offset and
    /// any number of fraction digits. A date without an offset, such as `2024-02-29T12:30`, is in UTC.
    public static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = RFC3339.date(from: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "Not an RFC 3339 date such as 2024-02-29T12:30:00.250Z.")
            }
            return date
        }
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return decoder
    }

    /// Creates a value from a date in RFC 3339 format; its seconds since 1970 if that is not possible.
    package init(_ date: Date) {
        self = RFC3339.text(of: date).map(JSONValue.string) ?? JSONValue(date.timeIntervalSince1970)
    }

    /// Creates a value from the shortest literal of a number; NaN and infinities, which JSON does not have,
    /// become strings.
    package init(_ double: Double) {
        self =
            JSONNumber(double).map(JSONValue.number)
            ?? .string(double.isNaN ? "NaN" : double < 0 ? "-Infinity" : "Infinity")
    }
}

/// A type with a JSON value of its own, which is used instead of encoding, to preserve the literals of
/// numbers.
package protocol JSONRepresentable {
    var jsonValue: JSONValue { get }
}

extension JSONValue {
    /// The kind of value, for messages that must not show the value.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
