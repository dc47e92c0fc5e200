public import Foundation

/// A type whose values can be params.
///
/// Strings, numbers, booleans, dates, URLs, UUIDs, data, and optionals, arrays and dictionaries of them conform. An
/// enum with raw values needs only to declare conformance; for one that does not conform, use `.raw(value)`:
///
/// ```swift
/// enum Sort: String, ParamConvertible { case newest, oldest }
/// let params: Params = ["sort": Sort.newest, "page": 2]
/// ```
///
/// The protocol refines `Sendable`, so in a module with main-actor default isolation a conforming type is
/// inferred `nonisolated` and can be used anywhere.
public protocol ParamConvertible: Sendable {
    /// The value as JSON.
    var jsonValue: JSONValue { get }
}

extension ParamConvertible where Self: RawRepresentable, RawValue: ParamConvertible {
    /// The raw value as JSON.
    public var jsonValue: JSONValue { rawValue.jsonValue }
}

extension JSONValue: ParamConvertible {
    /// The value itself.
    public var jsonValue: JSONValue { self }

}

// Available with implicit member syntax wherever a param is expected, at any depth.
extension ParamConvertible where Self == JSONValue {
    /// An array of values of different types, or of none; nil is `null`.
    ///
    /// ```swift
    /// let params: Params = ["row": .array(of: [1, "a", Date(), nil]), "tags": .array(of: [])]
    /// ```
    /// Swift gives a literal with several types, or with no element, no type of its own.
    public static func array(of elements: [(any ParamConvertible)?]) -> JSONValue {
        .array(elements.map { $0?.jsonValue ?? .null })
    }

    /// An object with values of different types; nil is `null`.
    ///
    /// ```swift
    /// let params: Params = ["filter": .object(of: ["min": 1, "names": .array(of: ["a", nil])])]
    /// ```
    public static func object(of members: [String: (any ParamConvertible)?]) -> JSONValue {
        .object(members.mapValues { $0?.jsonValue ?? .null })
    }

    /// The raw value of an enum that does not conform to ``ParamConvertible``.
    ///
    /// ```swift
    /// enum Sort: String { case newest, oldest }
    /// let params: Params = ["sort": .raw(Sort.newest)]
    /// ```
    public static func raw<Value: RawRepresentable>(_ value: Value) -> JSONValue
    where Value.RawValue: ParamConvertible {
        (value as? any ParamConvertible)?.jsonValue ?? value.rawValue.jsonValue
    }
}

extension JSONNumber: ParamConvertible {
    /// The number.
    public var jsonValue: JSONValue { .number(self) }
}

// MARK: Texts

extension String: ParamConvertible {
    /// The string.
    public var jsonValue: JSONValue { .string(self) }
}

extension Substring: ParamConvertible {
    /// The text as a string.
    public var jsonValue: JSONValue { .string(String(self)) }
}

extension Character: ParamConvertible {
    /// The character as a string.
    public var jsonValue: JSONValue { .string(String(self)) }
}

extension URL: ParamConvertible {
    /// The `absoluteString`.
    public var jsonValue: JSONValue { .string(absoluteString) }
}

extension UUID: ParamConvertible {
    /// The `uuidString`, in upper case.
    public var jsonValue: JSONValue { .string(uuidString) }
}

extension Date: ParamConvertible {
    /// The date in UTC as defined by RFC 3339, always with milliseconds: `"2024-02-29T12:30:00.000Z"`.
    ///
    /// Rounded to the nearest millisecond. Years outside 0…9999, which RFC 3339 does not allow, get a sign
    /// as in ISO 8601. A date that is not finite, or about 100 million years away, is encoded as seconds
    /// since 1970.
    public var jsonValue: JSONValue { JSONValue(self) }
}

extension Data: ParamConvertible {
    /// The bytes in Base64 (RFC 4648 section 4), as `JSONEncoder` writes them.
    public var jsonValue: JSONValue { .string(base64EncodedString()) }
}

extension FullDate: ParamConvertible {
    /// The description as a string: `"2024-02-29"`.
    public var jsonValue: JSONValue { .string(description) }
}

// MARK: Booleans and numbers

extension Bool: ParamConvertible {
    /// `true` or `false`.
    public var jsonValue: JSONValue { .bool(self) }
}

extension ParamConvertible where Self: BinaryInteger {
    /// The number in decimal digits.
    public var jsonValue: JSONValue { .number(JSONNumber(self)) }
}

extension Int: ParamConvertible {}
extension Int8: ParamConvertible {}
extension Int16: ParamConvertible {}
extension Int32: ParamConvertible {}
extension Int64: ParamConvertible {}
extension UInt: ParamConvertible {}
extension UInt8: ParamConvertible {}
extension UInt16: ParamConvertible {}
extension UInt32: ParamConvertible {}
extension UInt64: ParamConvertible {}

extension Double: ParamConvertible {
    /// The number in its shortest form. NaN and infinities, which JSON does not have, become the strings
    /// `"NaN"`, `"Infinity"` and `"-Infinity"`.
    public var jsonValue: JSONValue { JSONValue(self) }
}

extension Float: ParamConvertible {
    /// The number in its shortest form. NaN and infinities, which JSON does not have, become the strings
    /// `"NaN"`, `"Infinity"` and `"-Infinity"`.
    public var jsonValue: JSONValue { JSONNumber(self)?.jsonValue ?? Double(self).jsonValue }
}

extension Decimal: ParamConvertible {
    /// The exact number; NaN becomes the string `"NaN"`.
    public var jsonValue: JSONValue { JSONNumber(self)?.jsonValue ?? .string("NaN") }
}

// MARK: Containers

extension Optional: ParamConvertible where Wrapped: ParamConvertible {
    /// The value, or `null`. In ``Params``, nil removes the name instead.
    public var jsonValue: JSONValue { self?.jsonValue ?? .null }
}

extension Array: ParamConvertible where Element: ParamConvertible {
    /// An array of the elements; nil elements become `null`.
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension ArraySlice: ParamConvertible where Element: ParamConvertible {
    /// An array of the elements; nil elements become `null`.
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension Dictionary: ParamConvertible where Key == String, Value: ParamConvertible {
    /// An object of the values; nil values become `null`.
    public var jsonValue: JSONValue { .object(mapValues(\.jsonValue)) }
}

// MARK: Params

extension Params: ExpressibleByDictionaryLiteral {
    /// Creates arguments from convertible values. Nil omits the name; ``JSONValue/null`` sends `null`.
    ///
    /// If a name occurs more than once, the last value counts, even if it is nil.
    public init(dictionaryLiteral elements: (String, (any ParamConvertible)?)...) {
        self.init()
        for (name, value) in elements { set(name, value) }
    }
}

extension Params {
    /// Sets the value for a name, or removes it if the value is nil.
    public mutating func set(_ name: String, _ value: (any ParamConvertible)?) {
        guard let value, (value as? any PossiblyAbsentParam)?.isAbsent != true else {
            self[name] = nil
            return
        }
        self[name] = value.jsonValue
    }
}

extension Params {
    /// Returns an encoder that writes values as ``ParamConvertible`` does; the same as
    /// ``JSONValue/makeEncoder()``.
    public static func makeEncoder() -> JSONEncoder { JSONValue.makeEncoder() }

    /// Returns a decoder for what ``makeEncoder()`` writes; the same as ``JSONValue/makeDecoder()``.
    public static func makeDecoder() -> JSONDecoder { JSONValue.makeDecoder() }
}

extension Params: ParamConvertible, JSONRepresentable {
    /// The arguments as an object.
    public var jsonValue: JSONValue { .object(values) }
}

/// Distinguishes a nil inside `any ParamConvertible` from an explicit ``JSONValue/null``.
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

extension ParamPlace {
    /// An array or an object as one header value, such as `1,2`; also for the path.
    ///
    /// ```swift
    /// params.set("ids", ParamPlace.header.text(of: [1, 2]))
    /// ```
    public func text(of value: some ParamConvertible) -> String {
        texts(value.jsonValue).joined(separator: ",")
    }
}
