import Foundation

extension Params {
    /// Arguments from an untyped dictionary, such as one that Objective-C code or `JSONSerialization` made.
    ///
    /// ```swift
    /// let params = try Params(untyped: [
    ///     "id": 7, "filter": ["min": 1, "names": ["a", NSNull()]],
    /// ])
    /// ```
    /// Takes what is ``ParamValueConvertible``, enums with such raw values, `NSNumber`, `NSNull`, other `Encodable` values,
    /// and arrays and dictionaries of these. Nil drops its name; inside an array or an inner dictionary it is `null`.
    /// - Throws: ``InvalidRequestError`` naming the value that cannot be an argument, and its type; what encoding throws.
    public init(untyped values: [String: Any]) throws {
        self.init()
        for (name, value) in values {
            guard let value = Self.unwrapped(value) else { continue }
            self[name] = try Self.json(value, at: [name])
        }
    }

    /// What is inside an optional, however deep.
    private static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap(unwrapped)
    }

    private static func json(_ value: Any, at path: [String]) throws -> JSONValue {
        guard path.count <= JSONWalker.depthLimit else {
            throw InvalidRequestError("The params are nested more than \(JSONWalker.depthLimit) levels deep.")
        }
        switch value {
        // Swift's own numbers are none of Foundation's, which tells Booleans by their class.
        case let value as any ParamValueConvertible: return value.jsonValue
        case is NSNull: return .null
        case let value as NSNumber: return try json(value, at: path)
        case let value as NSString: return .string(value as String)
        case let values as [String: Any]:
            return .object(
                Dictionary(
                    uniqueKeysWithValues: try values.map { name, value in
                        (name, try unwrapped(value).map { try json($0, at: path + [name]) } ?? .null)
                    }))
        case let values as [Any]:
            return .array(
                try values.enumerated().map { index, value in
                    try unwrapped(value).map { try json($0, at: path + [String(index)]) } ?? .null
                })
        case let value as any RawRepresentable: return try json(value.rawValue, at: path)
        case let value as any Encodable: return try JSONValue(encoding: value)
        default:
            throw InvalidRequestError(
                "The param \(JSONPath(path).description.debugDescription) is a \(type(of: value)), which cannot be an argument; pass a string, number, Boolean, date, array, dictionary or Encodable value."
            )
        }
    }

    /// As `JSONSerialization` writes it, which tells `true` from 1 on every platform.
    private static func json(_ number: NSNumber, at path: [String]) throws -> JSONValue {
        guard JSONSerialization.isValidJSONObject([number]),
            let data = try? JSONSerialization.data(withJSONObject: [number]),
            let value = try? JSONValue(parsing: data).array?.first
        else {
            throw InvalidRequestError(
                "The param \(JSONPath(path).description.debugDescription) is a number that JSON cannot write, such as NaN."
            )
        }
        return value
    }
}

/// Any optional, to look inside without knowing its type.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
