/// The latest that is known of the network, and everybody who wants to hear of changes.
final class ReachabilityBroadcaster: Sendable {
    private let latest: Locked<Bool?>
    private let listeners = Broadcaster<Bool>(bufferingNewest: 100)

    init(_ isConnected: Bool? = nil) { latest = Locked(isConnected) }

    /// `nil` until somebody has said.
    var isConnected: Bool? { latest.current }

    var hasListeners: Bool { listeners.count > 0 }

    func set(_ isConnected: Bool) {
        // Sent under the lock, so that all hear the same in the same order.
        latest.withLock { latest in
            guard latest != isConnected else { return }
            latest = isConnected
            listeners.send(isConnected)
        }
    }

    /// The latest, where there is one, and then each change.
    func changes() -> AsyncStream<Bool> { latest.withLock { listeners.stream(first: $0) } }
}
