/// A point between two changes of users, across all sessions of the process.
///
/// A call records the epoch when it is made, and belongs to a session's user if that user has not changed
/// since. Therefore a call can be made on the main actor without reading the session's store.
struct UserEpoch: Sendable, Comparable {
    private var number = 0

    /// Now, regardless of the current task.
    fileprivate static let last = Locked(UserEpoch())

    /// The epoch of a new call: now, or the start of the unit of work that the call is part of.
    static var now: UserEpoch { UserWork.current?.epoch ?? last.current }

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
final class UserWork: Sendable {
    /// The unit of work of the current task.
    @TaskLocal static var current: UserWork?

    private let began = Locked<UserEpoch?>(UserEpoch.now)

    /// The epoch of its start; `nil` after its end, for tasks that outlive it.
    var epoch: UserEpoch? { began.current }

    /// A step of the work has logged in: what follows belongs to the new user.
    func follow() { began.withLock { if $0 != nil { $0 = UserEpoch.last.current } } }

    func end() { began.current = nil }

    /// Runs a part of the work.
    func run<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ part: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Self.$current.withValue(self) { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await part()) } catch { return .failure(error) }
        }.get()
    }
}

/// The identity of what is renewed: a session, or the CSRF tokens of a service.
final class RenewalOwner: Sendable, Hashable {
    static func == (left: RenewalOwner, right: RenewalOwner) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The refresh or login that a call is part of.
struct RenewalMark: Sendable, Hashable {
    /// Retained, so that the identity is not reused.
    let owner: RenewalOwner
    let number: Int

    /// The renewal of the current task. A task that outlives the renewal keeps it, but no call waits for
    /// that number any more.
    @TaskLocal static var current: RenewalMark?
}
