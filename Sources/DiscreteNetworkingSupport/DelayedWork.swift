package import Foundation

/// Work that is due once at a time, after a delay.
package final class DelayedWork: Sendable {
    private let due = Locked<Deadlines.Token?>(nil)

    package init() {}

    /// Does the work after a number of seconds. Has no effect if work is due already.
    package func schedule(after seconds: TimeInterval, _ work: @escaping @Sendable () -> Void) {
        due.withLock { due in
            guard due == nil else { return }
            due = Deadlines.shared.schedule(after: seconds) { [weak self] in
                self?.due.current = nil
                work()
            }
        }
    }

    /// Whether work is due.
    package var isDue: Bool { due.current != nil }
}
