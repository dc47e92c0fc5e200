public import Foundation

/// A type that you can use for params.
///
/// Strings, numbers, booleans, dates, URLs, UUIDs, data, and optionals, arrays and dictionaries of them conform. An
/// enum with raw values needs only to declare conformance. For an enum that does not conform, use `.raw(value)`:
///
/// ```swift
/// enum Sort: String, ParamValueConvertible { case newest, oldest }
/// let params: Params = ["sort": Sort.newest, "page": 2]
/// ```
///
/// The protocol refines `Sendable`, so in a module with main-actor default isolation a conforming type is
/// inferred `nonisolated` and can be used anywhere.
public protocol ParamValueConvertible: Sendable {
    /// The value as JSON.
    var jsonValue: JSONValue { get }
}

extension ParamValueConvertible where Self: RawRepresentable, RawValue: ParamValueConvertible {
    /// The raw value as JSON.
    public var jsonValue: JSONValue { rawValue.jsonValue }
}

extension JSONValue: ParamValueConvertible {
    /// The value itself.
    public var jsonValue: JSONValue { self }

}

// Available with implicit member syntax wherever a param is expected, at any depth.
extension ParamValueConvertible where Self == JSONValue {
    /// An array of values of different types, or of none; nil is `null`.
    ///
    /// ```swift
    /// let params: Params = [
    ///     "row": .array(of: [1, "a", Date(), nil]), "tags": .array(of: []),
    /// ]
    /// ```
    /// Swift gives a literal with several types, or with no element, no type of its own.
    public static func array(of elements: [(any ParamValueConvertible)?]) -> JSONValue {
        .array(elements.map { $0?.jsonValue ?? .null })
    }

    /// An object with values of different types; nil is `null`.
    ///
    /// ```swift
    /// let params: Params = [
    ///     "filter": .object(of: ["min": 1, "names": .array(of: ["a", nil])])
    /// ]
    /// ```
    public static func object(of members: [String: (any ParamValueConvertible)?]) -> JSONValue {
        .object(members.mapValues { $0?.jsonValue ?? .null })
    }

    /// The raw value of an enum that does not conform to ``ParamValueConvertible``.
    ///
    /// ```swift
    /// enum Sort: String { case newest, oldest }
    /// let params: Params = ["sort": .raw(Sort.newest)]
    /// ```
    public static func raw<Value: RawRepresentable>(_ value: Value) -> JSONValue
    where Value.RawValue: ParamValueConvertible {
        (value as? any ParamValueConvertible)?.jsonValue ?? value.rawValue.jsonValue
    }
}

extension JSONNumber: ParamValueConvertible {
    /// The number.
    public var jsonValue: JSONValue { .number(self) }
}

// MARK: Texts

extension String: ParamValueConvertible {
    /// The string.
    public var jsonValue: JSONValue { .string(self) }
}

extension Substring: ParamValueConvertible {
    /// The text as a string.
    public var jsonValue: JSONValue { .string(String(self)) }
}

extension Character: ParamValueConvertible {
    /// The character as a string.
    public var jsonValue: JSONValue { .string(String(self)) }
}

extension URL: ParamValueConvertible {
    /// The `absoluteString`.
    public var jsonValue: JSONValue { .string(absoluteString) }
}

extension UUID: ParamValueConvertible {
    /// The `uuidString` in lower case (RFC 9562 section 4).
    public var jsonValue: JSONValue { .string(uuidString.lowercased()) }
}

extension Date: ParamValueConvertible {
    /// The date in UTC as defined by RFC 3339, always with milliseconds: `"2024-02-29T12:30:00.000Z"`.
    ///
    /// Rounded to the nearest millisecond. Years outside 0…9999, which RFC 3339 does not allow, get a sign
    /// as in ISO 8601. A date that is not finite, or about 100 million years away, is encoded as seconds
    /// since 1970.
    public var jsonValue: JSONValue { JSONValue(self) }
}

extension Data: ParamValueConvertible {
    /// The bytes in Base64 (RFC 4648 section 4), as `JSONEncoder` writes them.
    public var jsonValue: JSONValue { .string(base64EncodedString()) }
}

extension FullDate: ParamValueConvertible {
    /// The description as a string: `"2024-02-29"`.
    public var jsonValue: JSONValue { .string(description) }
}

// MARK: Booleans and numbers

extension Bool: ParamValueConvertible {
    /// `true` or `false`.
    public var jsonValue: JSONValue { .bool(self) }
}

extension ParamValueConvertible where Self: BinaryInteger {
    /// The number in decimal digits.
    public var jsonValue: JSONValue { .number(JSONNumber(self)) }
}

extension Int: ParamValueConvertible {}
extension Int8: ParamValueConvertible {}
extension Int16: ParamValueConvertible {}
extension Int32: ParamValueConvertible {}
extension Int64: ParamValueConvertible {}
extension UInt: ParamValueConvertible {}
extension UInt8: ParamValueConvertible {}
extension UInt16: ParamValueConvertible {}
extension UInt32: ParamValueConvertible {}
extension UInt64: ParamValueConvertible {}

extension Double: ParamValueConvertible {
    /// The number in its shortest form. NaN and infinities, which JSON does not have, become the strings
    /// `"NaN"`, `"Infinity"` and `"-Infinity"`.
    public var jsonValue: JSONValue { JSONValue(self) }
}

extension Float: ParamValueConvertible {
    /// The number in its shortest form. NaN and infinities, which JSON does not have, become the strings
    /// `"NaN"`, `"Infinity"` and `"-Infinity"`.
    public var jsonValue: JSONValue { JSONNumber(self)?.jsonValue ?? Double(self).jsonValue }
}

extension Decimal: ParamValueConvertible {
    /// The exact number; NaN becomes the string `"NaN"`.
    public var jsonValue: JSONValue { JSONNumber(self)?.jsonValue ?? .string("NaN") }
}

// MARK: Containers

extension Optional: ParamValueConvertible where Wrapped: ParamValueConvertible {
    /// The value, or `null`. In ``Params``, nil removes the name instead.
    public var jsonValue: JSONValue { self?.jsonValue ?? .null }
}

extension Nullable: ParamValueConvertible where Value: ParamValueConvertible {
    /// The value, or `null`.
    public var jsonValue: JSONValue {
        switch self {
        case .null: .null
        case .value(let value): value.jsonValue
        }
    }
}

extension Array: ParamValueConvertible where Element: ParamValueConvertible {
    /// An array of the elements; nil elements become `null`.
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension ArraySlice: ParamValueConvertible where Element: ParamValueConvertible {
    /// An array of the elements; nil elements become `null`.
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension Dictionary: ParamValueConvertible where Key == String, Value: ParamValueConvertible {
    /// An object of the values; nil values become `null`.
    public var jsonValue: JSONValue { .object(mapValues(\.jsonValue)) }
}

// MARK: Params

extension Params: ExpressibleByDictionaryLiteral {
    /// Creates arguments from convertible values. Nil omits the name; ``JSONValue/null`` sends `null`.
    ///
    /// If a name occurs more than once, the last value counts, even if it is nil.
    public init(dictionaryLiteral elements: (String, (any ParamValueConvertible)?)...) {
        self.init()
        for (name, value) in elements { set(name, value) }
    }
}

extension Params {
    /// Sets the value for a name, or removes it if the value is nil.
    public mutating func set(_ name: String, _ value: (any ParamValueConvertible)?) {
        guard let value, (value as? any PossiblyAbsentParam)?.isAbsent != true else {
            self[name] = nil
            return
        }
        self[name] = value.jsonValue
    }
}

extension Params {
    /// Returns an encoder that writes values as ``ParamValueConvertible`` does; the same as
    /// ``JSONValue/makeEncoder()``.
    public static func makeEncoder() -> JSONEncoder { JSONValue.makeEncoder() }

    /// Returns a decoder for what ``makeEncoder()`` writes; the same as ``JSONValue/makeDecoder()``.
    public static func makeDecoder() -> JSONDecoder { JSONValue.makeDecoder() }
}

extension Params: ParamValueConvertible, JSONRepresentable {
    /// The arguments as an object.
    public var jsonValue: JSONValue { .object(values) }
}

/// Distinguishes a nil inside `any ParamValueConvertible` from an explicit ``JSONValue/null``.
protocol PossiblyAbsentParam {
    var isAbsent: Bool { get }
}

extension Optional: PossiblyAbsentParam {
    var isAbsent: Bool {
        switch self {
        case .none: true
        case .some(let wrapped): (wrapped as? any PossiblyAbsentParam)?.isAbsent ?? false
        }
    }
}

extension ParamLocation {
    /// An array or an object as one header value, such as `1,2`; also for the path.
    ///
    /// ```swift
    /// params.set("ids", ParamLocation.header.text(of: [1, 2]))
    /// ```
    public func text(of value: some ParamValueConvertible) -> String {
        texts(value.jsonValue).joined(separator: ",")
    }
}
