import Foundation

/// Where a manager's responses are kept, for how long, and when they stand in for the network.
///
/// ```swift
/// override var cache: CachePolicy { .memory }                                     // 180 s
/// override var cache: CachePolicy { CachePolicy(.networkFirst, memory: 60, disk: 86_400) }
/// ```
/// Only responses that the validator let pass are kept, and none that says `Cache-Control: no-store` (RFC 9111
/// section 5.2.2.5). Files and streams are not.
public struct CachePolicy: Sendable, Hashable {
    public enum Mode: Sendable, Hashable {
        /// What is kept, while it lives; otherwise the network.
        case cacheFirst
        /// The network; what is kept where that fails.
        case networkFirst
        /// What is kept, at once, and then the network: two calls, the second one of the manager's own. The delegate is
        /// told of both, and so is ``TypedAPIManager/updates(with:ignoringCache:)``; a closure and `await` get the
        /// first answer.
        case staleWhileRevalidate
        /// The network is asked whether what is kept is still good, by `ETag` or `Last-Modified` (RFC 9110
        /// section 13.1); where it is, its body is not sent again.
        case revalidate
    }

    public var mode: Mode
    /// Seconds that a response lives in memory; `nil`: it is not kept there.
    public var memory: TimeInterval?
    /// Seconds that a response lives on the disk; `nil`: it is not kept there.
    public var disk: TimeInterval?
    /// How many seconds after its life a response may still stand in for a call that failed, for a network that is
    /// not there, or for a degraded endpoint (`stale-if-error`, RFC 5861 section 4).
    public var staleIfError: TimeInterval
    /// Responses that were kept under another version are not used. Change it when the output changes.
    public var version: String

    /// How long a response lives where nobody says otherwise: three minutes.
    public static let standardLife: TimeInterval = 180

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

    /// Nothing is kept.
    public static let none = CachePolicy(memory: nil)
    public static let memory = CachePolicy()
    public static let disk = CachePolicy(memory: nil, disk: standardLife)
    public static let memoryAndDisk = CachePolicy(disk: standardLife)

    var storesNothing: Bool { memory == nil && disk == nil }

    /// Whether a response stands in for failed calls at all.
    var allowsStaleAfterFailure: Bool { mode == .networkFirst || staleIfError > 0 }
}
