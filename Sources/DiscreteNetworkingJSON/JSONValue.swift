public import Foundation

/// Any JSON value.
///
/// ```swift
/// let body: JSONValue = ["id": 7, "tags": ["a", nil], "price": 1.5]
/// body["tags"][0].string      // "a"
/// body[path: "tags.0"]        // the same value
/// ```
/// Values can be written, compared and hashed however deep they are nested. Do not nest more than 2,000 levels
/// nevertheless: when the last of them is released, Swift releases what it holds by recursion, which takes more than
/// the 512 KB that the stack of a secondary thread may have. No text makes such a value, and none is sent; the limit of
/// both is 512 levels.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An exact number.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, unordered.
    case object([String: JSONValue])
}

extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The Boolean value; `nil` for other kinds, including numbers.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The number; `nil` for other kinds.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

    /// The value as `Int`; `nil` if it is not an integer or out of range. See ``JSONNumber/int``.
    public var int: Int? { number?.int }

    /// The value as `Int64`; `nil` if it is not an integer or out of range. See ``JSONNumber/int64``.
    public var int64: Int64? { number?.int64 }

    /// The value as `UInt64`; `nil` if it is not an integer or out of range. See ``JSONNumber/uint64``.
    public var uint64: UInt64? { number?.uint64 }

    /// The nearest `Double`; `nil` if this is not a number. See ``JSONNumber/double``.
    public var double: Double? { number?.double }

    /// The value as `Decimal`; `nil` if it is not exactly representable. See ``JSONNumber/decimal``.
    public var decimal: Decimal? { number?.decimal }

    /// The string; `nil` for other kinds, including numbers.
    public var string: String? { if case .string(let string) = self { string } else { nil } }

    /// The elements of an array; `nil` for other kinds.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members of an object; `nil` for other kinds.
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The member with a key; `nil` if there is none or this is not an object.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The element at an index; `nil` if there is none or this is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = array, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value at a path; `nil` if there is none.
    public subscript(path path: JSONPath) -> JSONValue? {
        var value = self
        for component in path.components {
            let next =
                switch value {
                case .object(let members): members[component]
                case .array: JSONPath.index(component).flatMap { value[$0] }
                default: JSONValue?.none
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

    /// A number with the shortest literal of the `Double`: `1.10` is `1.1`.
    public init(floatLiteral value: Double) { self = JSONValue(value) }

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object; the last of equal keys counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

extension JSONValue: Hashable {
    /// Returns whether the values are equal: numbers by value, strings by canonical equivalence, objects
    /// regardless of order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        // Iterative, because values can be nested to any depth.
        var rest: [(JSONValue, JSONValue)] = []
        guard areEqual(left, right, apartFrom: &rest) else { return false }
        while let (left, right) = rest.popLast() {
            guard areEqual(left, right, apartFrom: &rest) else { return false }
        }
        return true
    }

    /// Compares two values, appending the contents of containers to a list.
    private static func areEqual(
        _ left: JSONValue, _ right: JSONValue, apartFrom rest: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            rest.append(contentsOf: zip(left, right))
            return true
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            for (name, value) in left {
                guard let other = right[name] else { return false }
                rest.append((value, other))
            }
            return true
        default: return false
        }
    }

    /// Hashes the value down to a limited depth.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 16) }

    private func hash(into hasher: inout Hasher, levels: Int) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .number(let number): hasher.combine(number)
        case .string(let string): hasher.combine(string)
        case .array(let elements):
            hasher.combine(elements.count)
            guard levels > 0 else { return }
            for element in elements { element.hash(into: &hasher, levels: levels - 1) }
        case .object(let members):
            hasher.combine(members.count)
            guard levels > 0 else { return }
            // Independent of the order of the members.
            var sum = 0
            for (name, value) in members {
                var member = Hasher()
                member.combine(name)
                value.hash(into: &member, levels: levels - 1)
                sum &+= member.finalize()
            }
            hasher.combine(sum)
        }
    }

    /// Returns whether containers are nested deeper than a limit.
    package func isDeeper(than limit: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: false
        case .array(let elements): limit == 0 || elements.contains { $0.isDeeper(than: limit - 1) }
        case .object(let members): limit == 0 || members.values.contains { $0.isDeeper(than: limit - 1) }
        }
    }
}
