/// The parts of an object that a service has in several environments, such as the tokens of each.
package struct EnvironmentParts<Part: Sendable>: Sendable {
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

    /// The parts so far, without the object itself.
    package var made: [Part] { Array(others.values) }

    /// Records that the configuration of an environment has the object.
    mutating func declare(in environment: String) { declared.insert(environment) }

    /// Returns the part of an environment; `nil` for the object itself. The object itself is used in its first
    /// environment, and in environments that have another object in their configuration.
    mutating func part(in environment: String, make: () -> Part) -> Part? {
        guard environment != first, declared.contains(environment) else { return nil }
        let part = others[environment] ?? make()
        others[environment] = part
        return part
    }
}

/// An object with a part for each environment of an ``EnvironmentService``: a session and its tokens, a jar and its cookies.
package protocol DividedByEnvironment: AnyObject, Sendable {
    /// `nil` without environments.
    var parts: Locked<EnvironmentParts<Self>?> { get }

    /// Creates the part of another environment than the first.
    func makePart(in environment: String) -> Self

    /// Stores under the key of the object and the name of an environment from now on.
    func moveStore(to environment: String)
}

extension DividedByEnvironment {
    /// Keeps a part for an environment.
    /// - Parameter name: Returns the name of the current environment.
    package func declare(in environment: String, name: @escaping @Sendable () -> String) {
        let isFirst = parts.withLock { parts in
            parts?.declare(in: environment)
            guard parts == nil else { return false }
            parts = EnvironmentParts(first: environment, name: name)
            return true
        }
        if isFirst { moveStore(to: environment) }
    }

    /// The part of the current environment. In a call, this is the attempt's environment. The object itself without
    /// environments.
    package var here: Self {
        guard let name = parts.withLock({ $0?.name }) else { return self }
        return part(in: name())
    }

    /// The part of an environment.
    package func part(in environment: String) -> Self {
        parts.withLock { $0?.part(in: environment) { makePart(in: environment) } ?? self }
    }
}
