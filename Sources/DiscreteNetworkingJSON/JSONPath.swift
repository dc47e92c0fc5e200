/// The way to a value inside a JSON document: keys of objects and indices of arrays, from the top.
///
/// ```swift
/// let path: JSONPath = "data.items.0"        // dots separate the components
/// let odd: JSONPath = ["data", "file.name"]  // for keys that hold dots
/// ```
///
/// A component of ASCII digits is an index where it meets an array and a key where it meets an object.
/// The empty path is the document itself.
public struct JSONPath: Sendable, Hashable {
    /// The keys and indices, outermost first.
    public var components: [String]

    /// A path of these components, taken as they are.
    public init(_ components: [String]) { self.components = components }

    /// A path from text, with dots between the components; the empty text is the empty path.
    public init(_ text: String) {
        guard !text.isEmpty else {
            components = []
            return
        }
        components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The index a component stands for in an array: nil unless it is all digits and fits.
    static func index(_ component: String) -> Int? {
        guard component.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return Int(component)
    }
}

extension JSONPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// A path from text, with dots between the components.
    public init(stringLiteral value: String) { self.init(value) }

    /// A path of these components, taken as they are; for keys that hold dots.
    public init(arrayLiteral elements: String...) { self.init(elements) }
}

extension JSONPath: CustomStringConvertible {
    /// The components with dots between them, or as a list where dots would not read back the same.
    public var description: String {
        let text = components.joined(separator: ".")
        return JSONPath(text) == self ? text : components.description
    }
}
