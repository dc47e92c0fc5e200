import Foundation

/// Everybody who iterates over the events of a session.
final class SessionListeners: Sendable {
    private let continuations = Locked<[UUID: AsyncStream<SessionEvent>.Continuation]>([:])

    /// The events from now on. One who never reads keeps the latest hundred.
    func stream() -> AsyncStream<SessionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionEvent.self, bufferingPolicy: .bufferingNewest(100))
        let id = UUID()
        continuations.withLock { $0[id] = continuation }
        continuation.onTermination = { [weak self] _ in
            _ = self?.continuations.withLock { $0.removeValue(forKey: id) }
        }
        return stream
    }

    var count: Int { continuations.withLock { $0.count } }

    func tell(_ event: SessionEvent) {
        for continuation in continuations.withLock({ Array($0.values) }) { continuation.yield(event) }
    }

    deinit {
        for continuation in continuations.current.values { continuation.finish() }
    }
}
