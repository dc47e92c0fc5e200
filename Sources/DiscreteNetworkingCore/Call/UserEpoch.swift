/// A point between two changes of users, across all sessions of the process.
///
/// A call records the epoch when it is made, and belongs to a session's user if that user has not changed
/// since. Therefore a call can be made on the main actor without reading the session's store.
struct UserEpoch: Sendable, Comparable {
    private var number = 0

    /// Now, regardless of the current task.
    static let last = Locked(UserEpoch())

    /// Starts a new epoch at a change of users; earlier epochs compare less.
    static func next() -> UserEpoch {
        last.withLock { last in
            last.number += 1
            return last
        }
    }

    static func < (left: UserEpoch, right: UserEpoch) -> Bool { left.number < right.number }
}

/// A unit of work with several calls: a group, a chain, a paged list, or an event source. All of them
/// belong to the users at its start.
package final class UserWork: Sendable {
    private let began = Locked<UserEpoch?>(UserEpoch.now)

    package init() {}

    /// The epoch of its start; `nil` after its end, for tasks that outlive it.
    var epoch: UserEpoch? { began.current }

    /// A step of the work has logged in: what follows belongs to the new user.
    func follow() { began.withLock { if $0 != nil { $0 = UserEpoch.last.current } } }

    package func end() { began.current = nil }
}

/// The identity of what is renewed: a session, or the CSRF tokens of a service.
package final class RenewalOwner: Sendable, Hashable {
    package init() {}

    package static func == (left: RenewalOwner, right: RenewalOwner) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The refresh or login that a call is part of.
package struct RenewalMark: Sendable, Hashable {
    /// Retained, so that the identity is not reused.
    let owner: RenewalOwner
    let number: Int

    package init(owner: RenewalOwner, number: Int) { (self.owner, self.number) = (owner, number) }
}
