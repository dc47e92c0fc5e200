public import DiscreteNetworkingCore
public import Foundation

/// The names and values that a signature covers.
///
/// ```swift
/// // "a=x&b=2"
/// SignedFields(["b": 2, "a": "x", "c": ""]).leavingOutEmpty().sorted().joined(
///     separator: "&")
/// SignedFields(queryOf: request.url)
/// ```
public struct SignedFields: Sendable, Hashable {
    /// A name and its value.
    public struct Field: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value as text.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// `name=value`
        fileprivate var pair: String { "\(name)=\(value)" }
    }

    /// The fields, in order.
    public var fields: [Field]

    /// Creates fields from a list.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// Creates fields from params: strings unchanged, numbers as written, `true` and `false`, an empty
    /// value for `null`, and canonical JSON for arrays and objects.
    public init(_ params: Params) {
        fields = params.map { name, value in
            let text: String =
                switch value {
                case .string(let string): string
                case .null: ""
                default: value.canonicalText
                }
            return Field(name: name, value: text)
        }
    }

    /// Creates fields from the decoded pairs of a URL's query, in order. `+` is a space (WHATWG URL section
    /// 5).
    public init(queryOf url: URL) { self.init(pairs: RequestTarget(url).query) }

    /// Creates fields from the decoded pairs of a form (`application/x-www-form-urlencoded`), in order.
    public init(form: Data) { self.init(pairs: String(decoding: form, as: UTF8.self)) }

    private init(pairs: String) {
        fields = RequestTarget.pairs(of: pairs).map { Field(name: $0.name, value: $0.value) }
    }

    /// Returns all fields except the fields with a given name.
    public func removing(_ name: String) -> SignedFields {
        SignedFields(fields.filter { !$0.name.utf8.elementsEqual(name.utf8) })
    }

    /// Returns all fields except the fields with an empty value.
    public func leavingOutEmpty() -> SignedFields { SignedFields(fields.filter { !$0.value.isEmpty }) }

    /// How fields are sorted.
    public enum Order: Sendable, Hashable {
        /// By their names, then by their texts: `a=x` comes before `a1=x`.
        case names
        /// As whole `name=text` pairs: `a1=x` comes before `a=x`, because `1` comes before `=`.
        case pairs
    }

    /// By UTF-8 bytes.
    public func sorted(by order: Order = .names) -> SignedFields {
        SignedFields(
            fields.sorted { left, right in
                switch order {
                case .names where left.name.utf8.elementsEqual(right.name.utf8):
                    left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
                case .names: left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
                case .pairs: left.pair.utf8.lexicographicallyPrecedes(right.pair.utf8)
                }
            })
    }

    /// Returns the fields with names and values percent-encoded, except unreserved characters (RFC 3986
    /// section 2.3).
    public func percentEncoded() -> SignedFields {
        SignedFields(
            fields.map { field in
                Field(
                    name: PercentEncoding.unreserved.encode(field.name),
                    value: PercentEncoding.unreserved.encode(field.value))
            })
    }

    /// Returns the `name=value` pairs, joined by a separator.
    public func joined(separator: String) -> String {
        fields.map(\.pair).joined(separator: separator)
    }
}
