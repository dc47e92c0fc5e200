import DiscreteNetworkingCore
import Foundation

/// The path of a field in a response, the same for all elements of an array.
///
/// ```swift
/// let price: FieldPath = "content.products[].price"
/// let odd = FieldPath(#"content."file.name""#)    // keys with dots are quoted
/// ```
///
/// The body itself is `$`.
public struct FieldPath: Sendable, Hashable {
    /// A component of a path.
    public enum Component: Sendable, Hashable {
        /// A member of an object.
        case key(String)
        /// Any element of an array.
        case element
    }

    /// The components from the top of the body.
    public var components: [Component]

    /// Creates a path of components.
    public init(_ components: [Component] = []) { self.components = components }

    /// The path without its last component; `nil` for the body.
    public var parent: FieldPath? { components.isEmpty ? nil : FieldPath(components.dropLast()) }

    func appending(_ component: Component) -> FieldPath { FieldPath(components + [component]) }

    /// The last component if it is a key.
    var key: String? { if case .key(let key)? = components.last { key } else { nil } }

    func hasPrefix(_ other: FieldPath) -> Bool { components.starts(with: other.components) }
}

extension FieldPath: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text of the path in a contract's file.
    public var description: String {
        guard !components.isEmpty else { return "$" }
        var text = ""
        for component in components {
            switch component {
            case .element: text += "[]"
            case .key(let key):
                if !text.isEmpty { text += "." }
                text += Self.isPlain(key) ? key : JSONValue.string(key).canonicalText
            }
        }
        return text
    }

    /// Creates a path from its text; other text is a single key.
    public init(stringLiteral value: String) { self = FieldPath(value) ?? FieldPath([.key(value)]) }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key != "$"
            && !key.unicodeScalars.contains { $0.value < 0x20 || ".[]\"".unicodeScalars.contains($0) }
    }

    /// Creates a path from its text; returns `nil` if it is invalid.
    public init?(_ text: String) {
        components = []
        guard text != "$" else { return }
        // Unicode scalars instead of characters: a combining mark after a quote would join it.
        var rest = Substring(text).unicodeScalars[...]
        var isFirst = true
        while !rest.isEmpty {
            if rest.first == "[" {
                guard rest.dropFirst().first == "]" else { return nil }
                rest = rest.dropFirst(2)
                components.append(.element)
            } else {
                if !isFirst {
                    guard rest.first == "." else { return nil }
                    rest = rest.dropFirst()
                }
                guard let key = Self.takeKey(from: &rest) else { return nil }
                components.append(.key(key))
            }
            isFirst = false
        }
        guard !components.isEmpty else { return nil }
    }

    private static func takeKey(from rest: inout Substring.UnicodeScalarView) -> String? {
        guard rest.first == "\"" else {
            let key = String(Substring(rest.prefix { $0 != "." && $0 != "[" }))
            rest = rest.dropFirst(key.unicodeScalars.count)
            return isPlain(key) ? key : nil
        }
        var end = rest.index(after: rest.startIndex)
        while end < rest.endIndex, rest[end] != "\"" {
            if rest[end] == "\\" { end = rest.index(after: end) }
            guard end < rest.endIndex else { return nil }
            end = rest.index(after: end)
        }
        guard end < rest.endIndex else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return (try? JSONValue(parsing: String(Substring(rest[...end]))))?.string
    }
}
