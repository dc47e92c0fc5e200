/// What one attempt of a call goes out with: the tokens of its session, and how old they are.
///
/// A call that fails with tokens older than the session's own is repeated with those, and nothing is asked for
/// a second time.
struct SessionSnapshot: Sendable {
    let session: TokenSession
    /// How often the tokens had changed, or failed to, when the request was made.
    let generation: Int
    let tokens: SessionTokens?
    /// Whose the tokens are; see ``SessionState/subject``.
    let subject: String?
    /// Whether another process has brought them; see ``SessionState/isFromStore``.
    let isFromStore: Bool

    /// The backend has taken the tokens: the refresh that brought them was a good one.
    func accept() {
        guard tokens != nil else { return }
        session.state.withLock { $0.accept(generation) }
    }
}

/// What a call waits for.
enum SessionRequirement: Sendable, Hashable {
    case refresh
    case login
}

/// What came of waiting.
enum SessionAnswer: Sendable {
    /// The call may go out: for the user for whom it was made, or, where a login may have brought another, for the one
    /// who has come at this epoch.
    case ready(UserEpoch?)
    /// The call ends with this.
    case refused(SessionRefusal)
    /// The call cannot wait: it is a part of what it would wait for.
    case deadlock
}

/// Why the calls that waited for a session end.
struct SessionRefusal: Sendable {
    let kind: APIError.Kind
    /// What went wrong with the login.
    var cause: (any Error)?
}
