/// Somebody who keeps data of a session's user.
///
/// A proxy does, and is there before its first call: what it kept in an earlier run of the app is forgotten at a logout
/// too.
protocol UserDataHolder: AnyObject, Sendable {
    /// Forgets what is kept of the session's user.
    func removeUserData(of session: TokenSession) async
}

/// All holders there are. It does not keep them alive.
final class UserDataRegistry: Sendable {
    private struct Weak: Sendable { weak var holder: (any UserDataHolder)? }

    private let holders = Locked<[Weak]>([])

    func add(_ holder: any UserDataHolder) {
        holders.withLock { holders in
            holders.removeAll { $0.holder == nil }
            holders.append(Weak(holder: holder))
        }
    }

    var all: [any UserDataHolder] { holders.withLock { $0.compactMap(\.holder) } }
}

extension TokenSession {
    /// Whom a logout tells.
    static let userDataHolders = UserDataRegistry()
}
