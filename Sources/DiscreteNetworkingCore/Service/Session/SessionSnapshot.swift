/// The state of a session that an attempt is sent with: its tokens and their generation.
///
/// A call that fails with tokens older than the session's current ones is retried with the current ones,
/// without another refresh.
package final class SessionSnapshot: Sendable {
    package let session: TokenSession
    /// The number of token changes, failed ones included, when the request was made.
    let generation: Int
    let tokens: SessionTokens?
    /// The owner of the tokens; see ``SessionState/subject``.
    let subject: String?
    /// Whether another process stored the tokens; see ``SessionState/isFromStore``.
    let isFromStore: Bool

    init(
        session: TokenSession, generation: Int, tokens: SessionTokens?, subject: String?, isFromStore: Bool
    ) {
        self.session = session
        self.generation = generation
        self.tokens = tokens
        self.subject = subject
        self.isFromStore = isFromStore
    }

    /// Records that the backend accepted the tokens, so that the refresh that produced them counts as
    /// successful.
    func accept() {
        guard tokens != nil else { return }
        session.state.withLock { $0.accept(generation) }
    }

    /// Whether the session's tokens have not changed since, and no renewal of them has failed.
    var isCurrent: Bool { session.state.withLock { $0.generation == generation } }

    /// Whether the backend accepted the tokens, or newer ones.
    var wasAccepted: Bool {
        session.state.withLock { $0.acceptedGeneration.map { $0 >= generation } ?? false }
    }
}

/// What a call waits for.
enum SessionRequirement: Sendable, Hashable {
    case refresh
    case login
}

/// The result of waiting.
enum SessionAnswer: Sendable {
    /// The call may be sent: for the user for whom it was made, or, if a login may have changed the user,
    /// for the user of this epoch.
    case ready(UserEpoch?)
    /// The call ends with this failure.
    case refused(SessionRefusal)
    /// The call cannot wait, because it is part of the renewal that it would wait for.
    case deadlock
}

/// Why calls that waited for a session end.
struct SessionRefusal: Error {
    let kind: APIError.Kind
    /// The login's error.
    var cause: (any Error)?
}
