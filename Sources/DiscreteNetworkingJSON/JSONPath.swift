/// A path to a value in a JSON document: object keys and array indices, from the top.
///
/// ```swift
/// let path: JSONPath = "data.items.0"        // components separated by dots
/// let odd: JSONPath = ["data", "file.name"]  // for keys that contain dots
/// ```
///
/// A component of ASCII digits is an index in an array and a key in an object. The empty path is the
/// document itself.
public struct JSONPath: Sendable, Hashable {
    /// The keys and indices, outermost first.
    public var components: [String]

    /// Creates a path from components.
    public init(_ components: [String]) { self.components = components }

    /// Creates a path from text with dots between components. The empty text is the empty path.
    public init(_ text: String) {
        guard !text.isEmpty else {
            components = []
            return
        }
        components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the array index of a component; `nil` unless it consists of digits and is in range.
    static func index(_ component: String) -> Int? {
        guard component.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return Int(component)
    }
}

extension JSONPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// Creates a path from text with dots between components.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a path from components, for keys that contain dots.
    public init(arrayLiteral elements: String...) { self.init(elements) }
}

extension JSONPath: CustomStringConvertible {
    /// The components separated by dots, or as a list if that would be ambiguous.
    public var description: String {
        let text = components.joined(separator: ".")
        return JSONPath(text) == self ? text : components.description
    }
}
