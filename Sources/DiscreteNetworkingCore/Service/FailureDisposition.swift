public import Foundation

/// A failed call, as passed to ``Service/intercept(_:)``.
///
/// ```swift
/// func intercept(_ failure: FailureContext) -> FailureDisposition {
///     failure.response?.status == 409 && failure.attempt == 1
///         ? .retry : .report
/// }
/// ```
public struct FailureContext: Sendable {
    /// The call that failed.
    public let call: APICall
    /// Why the call failed, with the response if there was one.
    public let error: APIError
    /// The request as sent, including its tokens; `nil` if the request could not be built.
    public var request: APIRequest? { sent?.value }
    private let sent: Box<APIRequest>?
    /// The number of the failed attempt, starting with 1.
    public var attempt: Int { call.attempt }
    /// The response; `nil` if none was received.
    public var response: APIResponse? { error.response }

    init(call: APICall, error: APIError, request: Box<APIRequest>? = nil) {
        self.call = call
        self.error = error
        sent = request
    }
}

extension FailureContext: SecretBearing {
    /// The attempt and the error, with secrets redacted.
    public var description: String { "attempt \(attempt): \(error)" }
}

/// The action to take on a failed call.
///
/// Every new attempt builds a new request, with current params, tokens and signature.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum FailureDisposition: Sendable, Hashable {
    /// Reports the failure to the caller.
    case report
    /// Marks the failure as handled by the service. The delegate is not called; a closure and `await`
    /// receive ``APIError/Kind/swallowed``.
    case swallow
    /// Retries the call after a delay in seconds and a random time: at most the delay, and with each further repeat twice as much,
    /// up to eight times the delay. Thus calls that were refused together do not come together again.
    ///
    /// After as many repeats as the limit says, the failure is reported.
    case retry(after: TimeInterval, limit: Int = 3)
    /// Retries the call after the session's tokens are refreshed; see ``TokenSession``. A call waits for a
    /// refresh at most once. Without tokens to refresh, the same as ``holdUntilLoggedIn(_:)``.
    ///
    /// The failure is reported if the call does not use the session or is part of its refresh or login.
    case holdUntilRefreshed(TokenSession)
    /// Retries the call after the user has logged in. A call waits for a login at most once. Reported in
    /// the same cases as ``holdUntilRefreshed(_:)``.
    case holdUntilLoggedIn(TokenSession)

    /// Stops calling the endpoint until a date. This call and later ones end with ``APIError/Kind/degraded(until:)``,
    /// or with a stale cached response if their ``CachePolicy`` allows it.
    case degrade(until: Date)

    /// Retries the call immediately, at most three times.
    public static var retry: Self { .retry(after: 0) }
}
