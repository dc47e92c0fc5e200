public import Foundation

/// Reads nested values without a question mark after each key.
///
/// ```swift
/// json["user"]["name"].string
/// json["items"][0]["id"].int
/// json["items"].array?.count
/// ```
/// A value that is missing has no members and no elements, and every property of it is `nil`.
extension Optional where Wrapped == JSONValue {
    /// The member with a key; `nil` if there is none or this is not an object.
    public subscript(key: String) -> JSONValue? { self?[key] }

    /// The element at an index; `nil` if there is none or this is not an array.
    public subscript(index: Int) -> JSONValue? { self?[index] }

    /// The value at a path; `nil` if there is none.
    public subscript(path path: JSONPath) -> JSONValue? { self?[path: path] }

    /// The Boolean value; see ``JSONValue/bool``.
    public var bool: Bool? { self?.bool }

    /// The number; see ``JSONValue/number``.
    public var number: JSONNumber? { self?.number }

    /// The value as `Int`; see ``JSONValue/int``.
    public var int: Int? { self?.int }

    /// The value as `Int64`; see ``JSONValue/int64``.
    public var int64: Int64? { self?.int64 }

    /// The value as `UInt64`; see ``JSONValue/uint64``.
    public var uint64: UInt64? { self?.uint64 }

    /// The nearest `Double`; see ``JSONValue/double``.
    public var double: Double? { self?.double }

    /// The value as `Decimal`; see ``JSONValue/decimal``.
    public var decimal: Decimal? { self?.decimal }

    /// The string; see ``JSONValue/string``.
    public var string: String? { self?.string }

    /// The elements of an array; see ``JSONValue/array``.
    public var array: [JSONValue]? { self?.array }

    /// The members of an object; see ``JSONValue/object``.
    public var object: [String: JSONValue]? { self?.object }
}
