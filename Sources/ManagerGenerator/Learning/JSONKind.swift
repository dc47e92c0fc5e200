import DiscreteNetworkingJSON

/// The types of JSON Schema, without `null`.
enum JSONKind: String, Comparable, Sendable {
    case array, boolean, integer, number, object, string

    /// - Parameter value: a value that is not `null`.
    init(_ value: JSONValue) {
        switch value {
        case .array: self = .array
        case .bool: self = .boolean
        case .number(let number): self = number.int64 == nil ? .number : .integer
        case .object, .null: self = .object
        case .string: self = .string
        }
    }

    /// - Returns: `nil` for `null` and for files.
    init?(_ type: SchemaType) {
        switch type {
        case .array: self = .array
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .number: self = .number
        case .object: self = .object
        case .string: self = .string
        case .null, .file: return nil
        }
    }

    var isScalar: Bool { self != .array && self != .object }

    /// An integer is a number, too.
    func fits(_ allowed: Set<JSONKind>) -> Bool {
        allowed.contains(self) || (self == .integer && allowed.contains(.number))
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
