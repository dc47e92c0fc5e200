/// What an app says in a value, and another module does. The initializers of the value are in that module: who can write one has
/// linked what puts it in force.
package protocol Policy: Sendable {
    var machinery: Machinery { get }
}

/// What puts a policy in force.
package protocol PolicyMachinery: Sendable {}

/// The machinery in a policy. It is the same in all values of a type, so that they are compared without it.
package struct Machinery: Sendable, Hashable {
    package let value: any PolicyMachinery

    package init(_ value: any PolicyMachinery) { self.value = value }

    /// Of a policy that is not in force.
    static let none = Machinery(Nothing())

    private struct Nothing: PolicyMachinery {}

    package static func == (left: Machinery, right: Machinery) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

/// Nothing that a reader of a policy wants to see.
extension Machinery: CustomReflectable, CustomStringConvertible {
    package var description: String { "…" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
