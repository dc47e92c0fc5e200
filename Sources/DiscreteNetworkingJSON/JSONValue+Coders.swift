import Foundation

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
