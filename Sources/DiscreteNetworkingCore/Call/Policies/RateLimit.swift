package import Foundation

/// How many calls of a service or an endpoint are sent in a period.
///
/// ```swift
/// let configuration = ServiceConfiguration(rateLimit: RateLimit(10, per: 1))
/// override var rateLimit: RateLimit? { RateLimit(30, per: 60) }
/// ```
///
/// No more than so many calls are sent within any period of that length. Further calls wait, by ``Service/priority(for:)``, and
/// are sent in their order: a call of higher priority is sent before older calls, but at most eight times in a row. Each attempt
/// counts, at each host. Calls with a response from a cache or share an exchange do not. A call that waits can be canceled, and
/// its ``BaseAPIManager/deadline`` goes on.
///
/// The limits that the server sends apply as well, so that calls wait instead of being refused: `RateLimit` and
/// `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), `RateLimit-Remaining` and `RateLimit-Reset` of its earlier
/// versions, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, and `Retry-After` of the statuses 429 and 503. A server holds calls
/// back for at most 60 seconds at a time: then one call is sent, and its response says more. If the server accepts it without a
/// word of limits, or when the time that it has named is over, nothing holds calls back any more.
///
/// The initializer is in `DiscreteNetworkingResilience`.
public struct RateLimit: Policy, Hashable {
    /// The number of calls in a period; at least 1.
    package let calls: Int
    /// The length of the period, in seconds.
    package let period: TimeInterval
    package let machinery: Machinery

    package init(calls: Int, period: TimeInterval, machinery: Machinery) {
        self.calls = calls
        self.period = period
        self.machinery = machinery
    }
}
