import Foundation

/// A failed call, as its service sees it.
public struct APIFailure: Sendable {
    /// The call that failed.
    public let call: APICall
    /// Why. Carries the response where there is one.
    public let error: APIError
    /// What was sent, tokens and all; `nil` where the request could not be built.
    public let request: APIRequest?
    /// The tokens that it was sent with.
    let session: SessionSnapshot?
    /// Which attempt failed: 1 for the first.
    public var attempt: Int { call.attempt }
    /// The response, where one came.
    public var response: APIResponse? { error.response }

    init(
        call: APICall, error: APIError, request: APIRequest? = nil, session: SessionSnapshot? = nil
    ) {
        self.call = call
        self.error = error
        self.request = request
        self.session = session
    }
}

extension APIFailure: SecretBearing {
    /// The error, without any secret.
    public var description: String { "attempt \(attempt): \(error)" }
}

/// What a service decides about a failed call.
///
/// Every repeat is generated anew, with what params, tokens and signature are by then. Those of ``retry(after:)`` count
/// against ``Service/retryLimit``; past that limit the failure is reported.
public enum FailureDisposition: Sendable, Hashable {
    /// The caller is told.
    case report
    /// The service dealt with it: the delegate is not told; a closure and `await` get
    /// ``APIError/Kind/intercepted``.
    case swallow
    /// Again, after so many seconds.
    case retry(after: TimeInterval)
    /// Again, once the session's tokens are refreshed; see ``TokenSession``. A call waits for that once. Where
    /// there is nothing to refresh, as ``holdUntilLoggedIn(_:)``.
    ///
    /// Reported for calls that do not use the session, or are a part of its refresh or login.
    case holdUntilRefreshed(TokenSession)
    /// Again, once the user has logged in. A call waits for that once. Reported for the same calls as above.
    case holdUntilLoggedIn(TokenSession)

    /// The endpoint is not called until then: this call and those to come end with
    /// ``APIError/Kind/degraded(until:)``, or with what is kept where their ``CachePolicy`` says so.
    case degrade(until: Date)

    /// Again, at once.
    public static var retry: Self { .retry(after: 0) }
}
