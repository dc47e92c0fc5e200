import Foundation

/// A rule for the value of a header, query item or body field. A string is an exact value; `nil` means
/// absent.
///
/// ```swift
/// let query: ExpectedFields = [
///     "cid": "000001", "nonce": .uuid, "t": .timestamp, "debug": nil,
/// ]
/// ```
public enum FieldRule: Sendable, Hashable {
    /// An exact value.
    case equal(String)
    /// No value.
    case absent
    /// Any value.
    case any
    /// A value that matches a regular expression as a whole, with a name for failures and snapshots.
    case matching(String, as: String = "match")

    /// A UUID, in either case.
    public static let uuid = matching(
        "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}", as: "uuid")
    /// Seconds or milliseconds since 1970, or an RFC 3339 date and time.
    public static let timestamp = matching(
        #"\d{10}(\d{3})?(\.\d+)?|\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"#,
        as: "timestamp")
    /// Decimal digits.
    public static let digits = matching(#"\d+"#, as: "digits")
    /// Hexadecimal digits; `nil` for any number of them.
    public static func hexadecimal(_ count: Int? = nil) -> FieldRule {
        matching("[0-9A-Fa-f]" + (count.map { "{\($0)}" } ?? "+"), as: "hexadecimal")
    }
}

extension FieldRule: ExpressibleByStringInterpolation, ExpressibleByNilLiteral {
    public init(stringLiteral value: String) { self = .equal(value) }
    public init(nilLiteral: ()) { self = .absent }
}

extension FieldRule: CustomStringConvertible {
    /// The value in quotes, or the name, such as `<uuid>`.
    public var description: String {
        switch self {
        case .equal(let text): "\"\(text)\""
        case .absent: "nothing"
        case .any: "<any>"
        case .matching(_, let name): "<\(name)>"
        }
    }

    /// Whether a value satisfies the rule; `nil` if it is absent.
    func accepts(_ value: String?) -> Bool {
        switch (self, value) {
        case (.absent, let value): return value == nil
        case (_, nil): return false
        case (.any, _): return true
        case (.equal(let text), let value?): return text == value
        case (.matching(let pattern, _), let value?):
            guard let expression = try? NSRegularExpression(pattern: #"\A(?:\#(pattern))\z"#) else {
                return false
            }
            let all = NSRange(value.startIndex..<value.endIndex, in: value)
            return expression.firstMatch(in: value, range: all) != nil
        }
    }

    /// The value for a cURL command.
    var sample: String {
        if case .equal(let text) = self { text } else { description }
    }
}

/// Rules by name. Use a name several times for repeated fields.
///
/// ```swift
/// let query: ExpectedFields = ["tags": "a", "tags": "b"]
/// ```
public struct ExpectedFields: Sendable, ExpressibleByDictionaryLiteral {
    var rules: [(name: String, rule: FieldRule)]

    /// Creates rules for exact values.
    public init(_ fields: [String: String]) {
        rules = fields.sorted { $0.key < $1.key }.map { ($0.key, .equal($0.value)) }
    }

    public init(dictionaryLiteral elements: (String, FieldRule)...) {
        rules = elements.map { (name: $0.0, rule: $0.1) }
    }
}
