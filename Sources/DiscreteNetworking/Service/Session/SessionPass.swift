/// What one attempt of a call goes out with: the tokens of its session, and how old they are.
///
/// A call that fails with tokens older than the session's own is repeated with those, and nothing is asked for
/// a second time.
struct SessionPass: Sendable {
    let session: TokenSession
    /// How often the tokens had changed, or failed to, when the request was made.
    let generation: Int
    let tokens: SessionTokens?
}

/// What a call waits for.
enum SessionNeed: Sendable, Hashable {
    case refresh
    case login
}

extension TokenSession {
    /// The sessions that this task is refreshing or logging in to. Calls that are made on the way do not wait
    /// for what they are part of.
    @TaskLocal static var renewed: Set<ObjectIdentifier> = []
}
