import Foundation

/// Suspends transfers while their manager has paused them.
package final class TransferGate: CallState {
    private struct State {
        var isClosed = false
        var closings = 0
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())

    /// The number of pauses. A connection lost after a pause was probably lost because of it.
    package var closings: Int { state.withLock { $0.closings } }

    /// The number of suspended transfers.
    var waiting: Int { state.withLock { $0.waiters.count } }

    package func close() {
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
    /// - Throws: `CancellationError` if the task is canceled.
    package func pass() async throws {
        guard state.withLock({ $0.isClosed }) else { return }
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A later cancellation finds the waiter in the table.
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

extension PendingCall {
    /// The gate that pauses the call's transfer.
    package var gate: TransferGate {
        withSlots { slots in
            let gate = slots[TransferGate.self] ?? TransferGate()
            slots[TransferGate.self] = gate
            return gate
        }
    }
}
