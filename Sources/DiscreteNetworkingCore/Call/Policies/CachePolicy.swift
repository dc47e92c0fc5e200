public import Foundation

/// Where a manager's responses are stored, for how long, and when they are used instead of the network.
///
/// ```swift
/// // 180 s.
/// override var cachePolicy: CachePolicy { .memory }
/// override var cachePolicy: CachePolicy {
///     CachePolicy(.networkFirst, memory: 60, disk: 86_400)
/// }
/// ```
///
/// A response is stored only if the validator accepts it and it has no `Cache-Control: no-store` (RFC 9111
/// section 5.2.2.5). Files and streams are never stored.
///
/// What stores responses is in `DiscreteNetworkingCaching`, with the initializers.
public struct CachePolicy: Policy, Hashable {
    /// The order of cached responses and the network.
    public enum Mode: Sendable, Hashable {
        /// A fresh cached response, otherwise the network.
        case cacheFirst
        /// The network, otherwise a fresh cached response.
        case networkFirst
        /// A fresh cached response immediately, then the network, with a second call by the manager. The delegate and
        /// ``TypedAPIManager/updates(with:ignoringCache:)`` receive both outputs; a closure and `await` receive the
        /// first.
        case staleWhileRevalidate
        /// The network, validating a cached response with `ETag` or `Last-Modified` (RFC 9110 section 13.1). The body
        /// of a valid response is not sent again.
        case revalidate
        /// A fresh cached response, never the network. Without one, the call ends with ``APIError/Kind/notCached(_:)``,
        /// also if it ignores the cache.
        case cacheOnly
    }

    /// The order of cached responses and the network.
    public let mode: Mode
    /// The freshness lifetime in memory, in seconds; `nil` to not store responses in memory.
    public let memory: TimeInterval?
    /// The freshness lifetime on disk, in seconds; `nil` to not store responses on disk.
    public let disk: TimeInterval?
    /// How long a stale response may be used after a failed call, without a network, or for a degraded
    /// endpoint, in seconds after its freshness lifetime (`stale-if-error`, RFC 5861 section 4).
    public let staleIfError: TimeInterval
    /// The version of cached responses. Responses of another version are not used. Change it when the output type
    /// changes.
    public let version: String
    package let machinery: Machinery

    package init(
        mode: Mode, memory: TimeInterval?, disk: TimeInterval?, staleIfError: TimeInterval, version: String,
        machinery: Machinery
    ) {
        self.mode = mode
        self.memory = memory
        self.disk = disk
        self.staleIfError = staleIfError
        self.version = version
        self.machinery = machinery
    }

    /// Responses are not stored.
    public static let none = CachePolicy(
        mode: .cacheFirst, memory: nil, disk: nil, staleIfError: 0, version: "", machinery: .none)

    /// The lifetimes, for a module with static members of their names.
    package var lives: (memory: TimeInterval?, disk: TimeInterval?) { (memory, disk) }

    package var storesNothing: Bool { memory == nil && disk == nil }
}
