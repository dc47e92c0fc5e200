import Foundation

extension JSONNumber: Codable {
    /// Decodes a number by value: the literal of the text is not visible through a decoder.
    ///
    /// 64-bit integers and everything `Decimal` holds are exact with `JSONDecoder`; what only `Double` holds is
    /// rounded to it. Use ``JSONValue/init(parsing:)-(Data)`` to keep literals.
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
            // Past its range Decimal is NaN, zero or wrong, by platform; within it, it is the closer one.
            if let decimal, double.map({ $0.double == decimal.double }) ?? true {
                self = decimal
            } else if let double {
                self = double
            } else {
                return nil
            }
        }
    }

    /// Encodes the value, not the notation: as `Int64`, `UInt64`, `Decimal` or `Double`, whichever is the
    /// first to hold it. With `JSONEncoder` the first three are exact.
    ///
    /// - Throws: `EncodingError` if the encoder cannot write it: a value past the range of `Double` is infinite.
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
    /// Decodes any value that a single value container holds; see ``JSONNumber/init(from:)`` for numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            // Before numbers: some decoders read true as 1, none reads 1 as true.
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

    /// Encodes the value; see ``JSONNumber/encode(to:)`` for numbers. ``canonicalData`` writes literals.
    /// - Throws: `EncodingError` for a value that is nested more than 512 levels deep.
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
    /// The value an `Encodable` type encodes to. A ``JSONValue``, or a type whose value is one, comes out as it
    /// is, with its literals.
    ///
    /// - Parameter encoder: By default ``makeEncoder()``.
    /// - Throws: What encoding throws, or ``JSONError`` if the encoder did not write JSON.
    public init(encoding value: some Encodable, encoder: JSONEncoder = JSONValue.makeEncoder()) throws {
        switch value {
        case let value as JSONValue: self = value
        case let value as any JSONRepresentable: self = value.jsonValue
        default: try self.init(parsing: encoder.encode(value))
        }
    }

    /// The value read as a `Decodable` type.
    ///
    /// ```swift
    /// let user = try body["data"]?.decoded(as: User.self)
    /// ```
    ///
    /// - Parameter decoder: By default ``makeDecoder()``.
    /// - Throws: What decoding throws.
    public func decoded<T: Decodable>(
        as type: T.Type = T.self, decoder: JSONDecoder = JSONValue.makeDecoder()
    ) throws -> T {
        try decoder.decode(type, from: canonicalData)
    }
}

extension JSONValue {
    /// A `JSONEncoder` for dates by RFC 3339 in UTC, and for NaN and the infinities as `"NaN"`, `"Infinity"` and
    /// `"-Infinity"`. Each call makes a new one, free to be changed.
    public static func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            try JSONValue(date).encode(to: encoder)
        }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }

    /// A `JSONDecoder` that reads what ``makeEncoder()`` writes, and RFC 3339 dates with any offset and any
    /// number of fraction digits. Each call makes a new one, free to be changed.
    public static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = RFC3339.date(from: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "Not a date by RFC 3339, such as 2024-02-29T12:30:00.250Z.")
            }
            return date
        }
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return decoder
    }

    /// The date by RFC 3339; its seconds since 1970 where that cannot write it.
    package init(_ date: Date) {
        self = RFC3339.text(of: date).map(JSONValue.string) ?? JSONValue(date.timeIntervalSince1970)
    }

    /// The number as its shortest text; NaN and the infinities, which JSON does not have, as strings.
    package init(_ double: Double) {
        self =
            JSONNumber(double).map(JSONValue.number)
            ?? .string(double.isNaN ? "NaN" : double < 0 ? "-Infinity" : "Infinity")
    }
}

/// A type whose value is JSON already: it is taken over as it is, where an encoder would lose the literals of its
/// numbers.
package protocol JSONRepresentable {
    var jsonValue: JSONValue { get }
}

extension JSONValue {
    /// What kind of value this is, for messages that must not show the value.
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
