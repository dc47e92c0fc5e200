/// Stores the latest connectivity and broadcasts changes.
final class ReachabilityBroadcaster: Sendable {
    private let latest: Locked<Bool?>
    private let listeners = Broadcaster<Bool>(bufferingNewest: 100)

    init(_ isConnected: Bool? = nil) { latest = Locked(isConnected) }

    /// The latest connectivity; `nil` if unknown.
    var isConnected: Bool? { latest.current }

    var hasListeners: Bool { listeners.count > 0 }

    func set(_ isConnected: Bool) {
        // Sent under the lock, so that all readers receive the same order.
        latest.withLock { latest in
            guard latest != isConnected else { return }
            latest = isConnected
            listeners.send(isConnected)
        }
    }

    /// Returns a stream of the latest value, if known, and each change.
    func changes() -> AsyncStream<Bool> { latest.withLock { listeners.stream(first: $0) } }
}
