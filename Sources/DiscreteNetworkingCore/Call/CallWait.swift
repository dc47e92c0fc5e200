public import Foundation

/// What a call waits for: an event of it, and the reason why it was not over at its deadline.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum CallWait: Sendable, Hashable {
    /// A delay in seconds: of its ``LoadPolicy``, before a retry, or until a ``RateLimit`` lets it go, as far as is known.
    case delay(TimeInterval)
    /// The network; see ``BaseAPIManager/networkPolicy``.
    case network
    /// New tokens of its session.
    case refresh
    /// A login.
    case login
    /// The token of a ``CSRFProtection``.
    case csrfToken
    /// Other calls of its service or endpoint to end. So many of at least the same priority wait already. See
    /// ``ServiceConfiguration/concurrencyLimit``.
    case otherCalls(ahead: Int)
    /// The response of the server: its request is built or sent, or its response is read. Only in
    /// ``APIError/Kind/deadlineExceeded(waitingFor:)``.
    case response
    /// Reading a cached response. Only in ``APIError/Kind/deadlineExceeded(waitingFor:)``.
    case storedResponse
}

extension CallWait {
    /// What is waited for, as a part of a sentence.
    var text: String {
        switch self {
        case .delay(let seconds):
            "a delay of \(RequestLocation.text(ofSeconds: (seconds * 10).rounded(.up) / 10))"
        case .network: "a network"
        case .refresh: "new tokens"
        case .login: "a login"
        case .csrfToken: "a CSRF token"
        case .otherCalls: "other calls of its service or endpoint to end"
        case .response: "its response"
        case .storedResponse: "a cached response to be read"
        }
    }
}
