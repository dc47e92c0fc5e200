import Foundation

/// The latest that is known of the network, and everybody who wants to hear of changes.
final class ReachabilityBroadcaster: Sendable {
    private struct State {
        var isConnected: Bool?
        var continuations: [UUID: AsyncStream<Bool>.Continuation] = [:]
    }

    private let state: Locked<State>

    init(_ isConnected: Bool? = nil) { state = Locked(State(isConnected: isConnected)) }

    /// `nil` until somebody has said.
    var isConnected: Bool? { state.withLock { $0.isConnected } }

    var hasListeners: Bool { state.withLock { !$0.continuations.isEmpty } }

    func set(_ isConnected: Bool) {
        // Told under the lock, so that all hear the same in the same order.
        state.withLock { state in
            guard state.isConnected != isConnected else { return }
            state.isConnected = isConnected
            for continuation in state.continuations.values { continuation.yield(isConnected) }
        }
    }

    /// The latest, where there is one, and then each change.
    func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: .bufferingNewest(100))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
        }
        state.withLock { state in
            state.continuations[id] = continuation
            if let isConnected = state.isConnected { continuation.yield(isConnected) }
        }
        return stream
    }

    deinit {
        for continuation in state.current.continuations.values { continuation.finish() }
    }
}
