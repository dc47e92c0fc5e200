import Foundation

/// A failed call, as its service sees it.
public struct APIFailure: Sendable {
    /// The call that failed.
    public let call: APICall
    /// Why. Carries the response where there is one.
    public let error: APIError
    /// Which attempt failed: 1 for the first.
    public var attempt: Int { call.attempt }
    /// The response, where one came.
    public var response: APIResponse? { error.response }
}

/// What a service decides about a failed call.
public enum FailureDisposition: Sendable, Hashable {
    /// The caller is told.
    case report
    /// The service dealt with it: the delegate is not told; a closure and `await` get
    /// ``APIError/Kind/intercepted``.
    case swallow
    /// The request is generated anew and sent again after so many seconds, at most
    /// ``Service/retryLimit`` times in one call; after that the failure is reported.
    case retry(after: TimeInterval)

    /// Again, at once.
    public static var retry: Self { .retry(after: 0) }
}
