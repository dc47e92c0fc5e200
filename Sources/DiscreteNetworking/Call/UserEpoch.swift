/// A moment between two changes of users, of all sessions of the process.
///
/// A call notes when it was made, and belongs to a session's user where that one has not changed since. So nobody has
/// to look into a session, whose store may not have been read yet, when a call is made on the main actor.
struct UserEpoch: Sendable, Comparable {
    private var number = 0

    /// Now, whatever the task is a part of.
    fileprivate static let last = Locked(UserEpoch())

    /// What a call notes: the moment it is made, or that in which the work began that it is a part of.
    static var now: UserEpoch { UserWork.current?.epoch ?? last.current }

    /// A change of users: what was noted before is less than this.
    static func next() -> UserEpoch {
        last.withLock { last in
            last.number += 1
            return last
        }
    }

    static func < (left: UserEpoch, right: UserEpoch) -> Bool { left.number < right.number }
}

/// Several calls that are one piece of work: a group, a chain, a list page by page, events over several connections.
/// All of them belong to the users there were when it began.
final class UserWork: Sendable {
    /// The work that this task is a part of.
    @TaskLocal static var current: UserWork?

    private let began = Locked<UserEpoch?>(UserEpoch.now)

    /// When it began; `nil` once it has ended, for tasks that outlive it.
    var epoch: UserEpoch? { began.current }

    /// A step of the work has logged in: what follows belongs to the new user.
    func follow() { began.withLock { if $0 != nil { $0 = UserEpoch.last.current } } }

    func end() { began.current = nil }
}

/// The refresh or login of a session that a call is a part of, by the session's identity and the number of the renewal.
struct RenewalMark: Sendable, Hashable {
    /// Retained, so that no other session gets its identity.
    let session: any AnyObject & Sendable
    let number: Int

    /// The renewal that this task belongs to. A task that outlives the renewal still has it; by then nobody waits for
    /// that number.
    @TaskLocal static var current: RenewalMark?

    static func == (left: RenewalMark, right: RenewalMark) -> Bool {
        left.session === right.session && left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(session))
        hasher.combine(number)
    }
}
