/// An object that stores data of a session's user.
///
/// A proxy registers itself when it is created, so that data stored by an earlier launch of the app is
/// removed at a logout too.
protocol UserDataHolder: AnyObject, Sendable {
    /// Whether the holder stores nothing.
    var isInMemory: Bool { get }
    /// Removes the data of the session's user.
    func removeUserData(of session: TokenSession) async
    /// The user of a session, or the environment of a service, may be another from now on.
    func userMayHaveChanged()
}

/// The registered holders, referenced weakly.
final class UserDataRegistry: Sendable {
    private struct Weak: Sendable { weak var holder: (any UserDataHolder)? }

    private let holders = Locked<[Weak]>([])

    func add(_ holder: any UserDataHolder) {
        // A holder may be released by all others meanwhile. Its deinitializer takes locks, so not inside this one.
        let living = holders.withLock { holders in
            let living = holders.compactMap(\.holder)
            holders = living.map { Weak(holder: $0) } + [Weak(holder: holder)]
            return living
        }
        withExtendedLifetime(living) {}
    }

    var all: [any UserDataHolder] { holders.withLock { $0.compactMap(\.holder) } }
}

extension TokenSession {
    /// The holders notified by a logout.
    static let userDataHolders = UserDataRegistry()
}
