/// The parts of an object that a service has in several environments, such as the tokens of each.
struct EnvironmentParts<Part: Sendable>: Sendable {
    /// Returns the name of the current environment, after its configuration has been read.
    let name: @Sendable () -> String
    /// The environment of the object's own state: the first one that has it.
    let first: String
    private var declared: Set<String>
    private var others: [String: Part] = [:]

    init(first: String, name: @escaping @Sendable () -> String) {
        self.first = first
        self.name = name
        declared = [first]
    }

    /// Records that the configuration of an environment has the object.
    mutating func declare(in environment: String) { declared.insert(environment) }

    /// Returns the part of an environment; `nil` for the object itself: in its first environment, and in those whose
    /// configuration has another object.
    mutating func part(in environment: String, make: () -> Part) -> Part? {
        guard environment != first, declared.contains(environment) else { return nil }
        let part = others[environment] ?? make()
        others[environment] = part
        return part
    }
}
