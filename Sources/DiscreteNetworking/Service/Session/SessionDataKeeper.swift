/// Somebody who keeps data of a session's user.
///
/// A proxy does, and is there before its first call: what it kept in an earlier run of the app is forgotten at a logout
/// too.
protocol SessionDataKeeper: AnyObject, Sendable {
    /// Forgets what is kept of the session's user.
    func forgetUser(of session: TokenSession) async
}

/// All keepers there are. It does not keep them alive.
final class SessionDataKeepers: Sendable {
    private struct Weak: Sendable { weak var keeper: (any SessionDataKeeper)? }

    private let keepers = Locked<[Weak]>([])

    func add(_ keeper: any SessionDataKeeper) {
        keepers.withLock { keepers in
            keepers.removeAll { $0.keeper == nil }
            keepers.append(Weak(keeper: keeper))
        }
    }

    var all: [any SessionDataKeeper] { keepers.withLock { $0.compactMap(\.keeper) } }
}

extension TokenSession {
    /// Whom a logout tells.
    static let keepers = SessionDataKeepers()
}
