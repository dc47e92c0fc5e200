/// The order in which calls that wait for a ``ServiceConfiguration/concurrencyLimit`` are sent.
///
/// ```swift
/// override var priority: CallPriority? { .low }
/// ```
///
/// Calls of equal priority are sent in the order in which they began to wait. A call of a higher priority is sent before
/// older ones, but at most eight times in a row: then the call that has waited longest is sent. So no call waits forever.
/// Without a limit nothing waits, and priorities have no effect.
public struct CallPriority: RawRepresentable, Sendable, Hashable, Comparable {
    /// Higher values come first; any value between or beyond the standard ones is valid.
    public let rawValue: Int

    /// Creates a priority.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// For what the user may need later, such as prefetching.
    public static let low = CallPriority(rawValue: -4)
    /// The default.
    public static let normal = CallPriority(rawValue: 0)
    /// For what the user waits for, such as a tapped button.
    public static let high = CallPriority(rawValue: 4)

    public static func < (left: CallPriority, right: CallPriority) -> Bool { left.rawValue < right.rawValue }
}
