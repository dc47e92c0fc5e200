/// A moment between two changes of users, of all sessions of the process.
///
/// A call notes when it was made, and belongs to a session's user where that one has not changed since. So nobody has
/// to look into a session, whose store may not have been read yet, when a call is made on the main actor.
struct UserEpoch: Sendable, Comparable {
    private var number = 0

    private static let last = Locked(UserEpoch())

    /// What a call notes: the moment it is made, or that in which the work began that it is a part of.
    static var now: UserEpoch { UserWork.current?.epoch ?? last.current }

    /// Now, whatever the task is a part of.
    fileprivate static var latest: UserEpoch { last.current }

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
    func follow() { began.withLock { if $0 != nil { $0 = .latest } } }

    func end() { began.current = nil }
}

extension SessionState {
    /// Whether the user for whom a call was made is still the one.
    func isUser(of call: APICall) -> Bool { call.epoch >= userSince }

    /// Who comes with new tokens, as far as the calls made before are concerned.
    enum Successor {
        /// The one for whom they were made: they go on.
        case same
        /// Perhaps another, who was asked to log in: those that wait for this go on, the others end.
        case unknown
        /// They end.
        case another
    }

    /// - Parameter isAnswer: whether a refresh or a login of the session's own has brought the tokens.
    func successor(with new: SessionTokens?, isAnswer: Bool) -> Successor {
        guard let new else { return .another }
        if let before = tokens?.user, let after = new.user { return before == after ? .same : .another }
        // As long as the store was not read, nobody knows who was there.
        if isAnswer || isRead && tokens == nil { return .same }
        return renewal?.need == .login ? .unknown : .another
    }
}

extension TokenSession {
    /// What a call goes out with now.
    /// - Returns: `nil` where the user for whom it was made has left.
    func pass(for call: APICall) async -> SessionSnapshot? {
        await load()
        return state.withLock { state in state.isUser(of: call) ? pass(in: state) : nil }
    }

    /// Whether the user for whom a call was made is still the one.
    func isUser(of call: APICall) -> Bool { state.withLock { $0.isUser(of: call) } }

    /// Has a call that waits for something else told when its user leaves.
    /// - Returns: whether the user is still there; otherwise nobody is told.
    func watch(_ call: APICall, onDeparture: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.isUser(of: call) else { return false }
            state.watchers[call.requestID] = (call, onDeparture)
            return true
        }
    }

    func unwatch(_ call: APICall) { state.withLock { _ = $0.watchers.removeValue(forKey: call.requestID) } }

    /// Tells the calls whose user has left.
    func tellWatchers() {
        let departures = state.withLock { state in
            let left = state.watchers.filter { !state.isUser(of: $0.value.call) }
            for id in left.keys { state.watchers[id] = nil }
            return left.values.map(\.onDeparture)
        }
        for departure in departures { departure() }
    }
}
