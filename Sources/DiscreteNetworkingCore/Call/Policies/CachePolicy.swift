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
public struct CachePolicy: Sendable, Hashable {
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
    public var mode: Mode
    /// The freshness lifetime in memory, in seconds; `nil` to not store responses in memory.
    public var memory: TimeInterval?
    /// The freshness lifetime on disk, in seconds; `nil` to not store responses on disk.
    public var disk: TimeInterval?
    /// How long a stale response may be used after a failed call, without a network, or for a degraded
    /// endpoint, in seconds after its freshness lifetime (`stale-if-error`, RFC 5861 section 4).
    public var staleIfError: TimeInterval
    /// The version of cached responses. Responses of another version are not used. Change it when the output type
    /// changes.
    public var version: String

    /// The default freshness lifetime, in seconds: three minutes.
    public static let standardLife: TimeInterval = 180

    /// Creates a policy; see the properties for each value.
    public init(
        _ mode: Mode = .cacheFirst, memory: TimeInterval? = standardLife, disk: TimeInterval? = nil,
        staleIfError: TimeInterval = 0, version: String = ""
    ) {
        self.mode = mode
        self.memory = memory
        self.disk = disk
        self.staleIfError = staleIfError
        self.version = version
    }

    /// Responses are not stored.
    public static let none = CachePolicy(memory: nil)
    /// Fresh cached responses from memory first, for ``standardLife``.
    public static let memory = CachePolicy()
    /// Fresh cached responses from disk first, for ``standardLife``.
    public static let disk = CachePolicy(memory: nil, disk: standardLife)
    /// Fresh cached responses from memory or disk first, for ``standardLife``.
    public static let memoryAndDisk = CachePolicy(disk: standardLife)

    var storesNothing: Bool { memory == nil && disk == nil }

    /// Whether a cached response may be used after a failure.
    var allowsStaleAfterFailure: Bool { mode == .networkFirst || staleIfError > 0 }
}
