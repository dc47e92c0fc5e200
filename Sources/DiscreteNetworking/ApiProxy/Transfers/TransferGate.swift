import Foundation

/// Where a transfer waits while its manager has paused it.
final class TransferGate: Sendable {
    private struct State {
        var isClosed = false
        var closings = 0
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())

    /// How often it has been closed. A connection that is lost after that was probably lost by the pause.
    var closings: Int { state.withLock { $0.closings } }

    /// How many transfers wait here.
    var waiting: Int { state.withLock { $0.waiters.count } }

    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.closings += 1
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isClosed = false
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns as soon as the gate is open.
    /// - Throws: `CancellationError`.
    func pass() async throws {
        guard state.withLock({ $0.isClosed }) else { return }
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A cancellation after this look at it finds the waiter in the table.
                let passes = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !state.isClosed { return .success(()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let passes { continuation.resume(with: passes) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}
