public import Foundation

/// The arguments of a call.
///
/// ```swift
/// let params: Params = [
///     "id": 7,
///     "tags": ["a", "b"],
///     "since": Date(),
///     "query": searchText,             // omitted when nil
///     "filter": ["min": 1] as Params,
///     "raw": [1, "b", nil] as JSONValue,
/// ]
/// ```
///
/// Iteration, ``names`` and ``canonical`` are sorted by the UTF-8 bytes of the names.
public struct Params: Sendable, Hashable {
    /// The values by name.
    public private(set) var values: [String: JSONValue]

    /// Creates arguments from JSON values by name.
    public init(values: [String: JSONValue] = [:]) { self.values = values }

    /// Creates arguments from an `Encodable` value that encodes to an object.
    ///
    /// 64-bit integers and `Decimal` are exact. A nil property is omitted, as by synthesized conformances.
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - encoder: The encoder. Default: ``makeEncoder()``.
    /// - Throws: ``InvalidRequestError`` if the value does not encode to an object, or the error of encoding.
    public init<T: Encodable>(encoding value: T, encoder: JSONEncoder = Params.makeEncoder()) throws {
        let json = try JSONValue(encoding: value, encoder: encoder)
        guard case .object(let members) = json else {
            throw InvalidRequestError(
                "\(T.self) encodes to \(json.kind); parameters need a type that encodes to an object.")
        }
        values = members
    }

    /// The value of a name; `nil` if there is none. Setting `nil` removes the name.
    public subscript(name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Whether there are no arguments.
    public var isEmpty: Bool { values.isEmpty }

    /// The number of arguments.
    public var count: Int { values.count }

    /// The names, sorted by their UTF-8 bytes.
    public var names: [String] { values.isEmpty ? [] : JSONWriter.sorted(values.keys) }

    /// The arguments as a canonical JSON object; see ``JSONValue/canonicalText``.
    public var canonical: String { jsonValue.canonicalText }

    /// Merges other arguments into these; the other's values take precedence.
    public mutating func merge(_ other: Params) {
        values.merge(other.values) { $1 }
    }

    /// Returns these arguments merged with other ones. If names collide, the other's value wins.
    public func merging(_ other: Params) -> Params {
        Params(values: values.merging(other.values) { $1 })
    }

    /// Returns these arguments without the arguments of the given names.
    public func removing(_ names: some Sequence<String>) -> Params {
        var params = self
        for name in names { params.values[name] = nil }
        return params
    }
}

extension Params: Sequence {
    /// Returns an iterator over the arguments, sorted by the UTF-8 bytes of their names.
    public func makeIterator() -> IndexingIterator<[(name: String, value: JSONValue)]> {
        names.map { (name: $0, value: values[$0] ?? .null) }.makeIterator()
    }
}

extension Params: SecretBearing {
    /// The ``canonical`` text with secrets redacted; see ``Redaction/standard``.
    public var description: String { jsonValue.description }
}

extension Params: Codable {
    /// Decodes the members of an object.
    public init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: JSONValue].self)
    }

    /// Encodes an object; see ``JSONNumber/encode(to:)`` for numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
