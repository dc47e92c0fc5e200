/// The environments that a piece of work sees from its first step to its last: an attempt of a call, or the renewal of a
/// session.
///
/// A call that is made in the course of such work, for instance a refresh, belongs to the same environments; see
/// ``APICall/environments``.
package final class EnvironmentScope: Sendable {
    /// Also after the work has ended.
    let all: [any AnyScopedEnvironment]
    private let isOver = Locked(false)

    private init(_ environments: [any AnyScopedEnvironment]) { all = environments }

    /// - Returns: `nil` without environments. A failing initializer of a class allocates before it fails.
    static func of(_ environments: [any AnyScopedEnvironment]) -> EnvironmentScope? {
        environments.isEmpty ? nil : EnvironmentScope(environments)
    }

    /// The environments; empty if the work has ended. A task that the work started, and that is not finished then, sees the
    /// environment of its time.
    var environments: [any AnyScopedEnvironment] { isOver.current ? [] : all }

    /// Ends the work.
    func end() { isOver.current = true }

    /// Returns the same environments for work that outlives this.
    package func renewed() -> EnvironmentScope { EnvironmentScope(all) }

    /// Whether both see the same environments.
    func isSame(as other: EnvironmentScope?) -> Bool {
        guard let other, all.count == other.all.count else { return false }
        return zip(all, other.all).allSatisfy { $0.isSame(as: $1) }
    }

    /// Whether one of the environments here is another one there.
    package func contradicts(_ other: EnvironmentScope?) -> Bool {
        guard let other else { return false }
        return all.contains { own in
            other.all.contains { $0.isOfSameSwitch(as: own) && !$0.isSame(as: own) }
        }
    }

    /// Distinguishes environments in cache keys and the like.
    package var name: String { all.map(\.name).joined(separator: " ") }
}

/// An environment of one switch.
protocol AnyScopedEnvironment: Sendable {
    var name: String { get }
    func isOfSameSwitch(as other: any AnyScopedEnvironment) -> Bool
    func isSame(as other: any AnyScopedEnvironment) -> Bool
}
