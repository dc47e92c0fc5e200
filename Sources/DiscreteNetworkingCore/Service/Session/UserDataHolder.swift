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

extension TokenSession {
    /// The holders notified by a logout.
    static let userDataHolders = WeakList<any UserDataHolder>()
}
