/// Stores the latest path and broadcasts changes.
final class ReachabilityBroadcaster: Sendable {
    private let latest: Locked<NetworkPath?>
    private let listeners = Broadcaster<Bool>(bufferingNewest: 100)
    private let pathListeners = Broadcaster<NetworkPath>(bufferingNewest: 100)

    init(_ path: NetworkPath? = nil) { latest = Locked(path) }

    /// The latest path; `nil` if unknown.
    var path: NetworkPath? { latest.current }

    /// The latest connectivity; `nil` if unknown.
    var isConnected: Bool? { path?.isConnected }

    var hasListeners: Bool { listeners.count + pathListeners.count > 0 }

    func set(_ path: NetworkPath) {
        // Sent under the lock, so that all readers receive the same order.
        latest.withLock { latest in
            guard latest != path else { return }
            if latest?.isConnected != path.isConnected { listeners.send(path.isConnected) }
            latest = path
            pathListeners.send(path)
        }
    }

    /// Returns a stream of the latest connectivity, if known, and each change.
    func changes() -> AsyncStream<Bool> { latest.withLock { listeners.stream(first: $0?.isConnected) } }

    /// Returns a stream of the latest path, if known, and each change.
    func paths() -> AsyncStream<NetworkPath> { latest.withLock { pathListeners.stream(first: $0) } }
}
