import Foundation

/// Who listens to the progress of a manager by way of an `AsyncStream`.
final class ProgressListeners: Sendable {
    typealias Continuation = AsyncStream<TransferProgress>.Continuation

    private let continuations = Locked<[UUID: Continuation]>([:])

    deinit { for continuation in continuations.current.values { continuation.finish() } }

    var isEmpty: Bool { continuations.withLock { $0.isEmpty } }

    func stream() -> AsyncStream<TransferProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            continuations.withLock { $0[id] = continuation }
            continuation.onTermination = { [weak self] _ in
                _ = self?.continuations.withLock { $0.removeValue(forKey: id) }
            }
        }
    }

    func tell(_ progress: TransferProgress) {
        for continuation in continuations.current.values { continuation.yield(progress) }
    }
}
