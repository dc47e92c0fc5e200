import Foundation

/// Delivers the progress of a call to the main actor: one hop at a time, coalescing to the latest value, so
/// that a fast transfer does not flood it.
package final class ProgressReporter: Sendable {
    private struct State {
        var progress = TransferProgress()
        /// Whether the progress has not been delivered.
        var isNew = false
        var isOnItsWay = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let tell: @MainActor @Sendable (TransferProgress) -> Void
    private let visit: @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

    /// - Parameter visit: Runs a closure on the main actor, soon.
    init(
        visit: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void = { work in
            CallContext.leaving { _ = Task { @MainActor in work() } }
        },
        tell: @escaping @MainActor @Sendable (TransferProgress) -> Void
    ) {
        self.visit = visit
        self.tell = tell
    }

    /// Updates the progress of the directions that a transport reports.
    package func report(_ progress: TransferProgress) {
        change { known in
            if progress.sent > 0 || progress.expectedToSend != nil {
                known.sent = progress.sent
                known.expectedToSend = progress.expectedToSend
            }
            if progress.received > 0 || progress.expectedToReceive != nil {
                known.received = progress.received
                known.expectedToReceive = progress.expectedToReceive
            }
        }
    }

    /// Updates the progress of sending.
    func reportSent(_ progress: TransferProgress) {
        var sent = TransferProgress()
        (sent.sent, sent.expectedToSend) = (progress.sent, progress.expectedToSend)
        report(sent)
    }

    /// Updates the progress of receiving, including data of earlier connections.
    package func report(received count: Int64, of expected: Int64?) {
        change { ($0.received, $0.expectedToReceive) = (count, expected) }
    }

    private func change(_ body: (inout TransferProgress) -> Void) {
        let starts = state.withLock { state in
            var progress = state.progress
            body(&progress)
            guard !state.hasEnded, progress != state.progress else { return false }
            state.progress = progress
            state.isNew = true
            defer { state.isOnItsWay = true }
            return !state.isOnItsWay
        }
        if starts { visit { self.deliver() } }
    }

    @MainActor
    private func deliver() {
        let news = state.withLock { state -> TransferProgress? in
            state.isOnItsWay = false
            defer { state.isNew = false }
            return state.isNew ? state.progress : nil
        }
        if let news { tell(news) }
    }

    /// Delivers pending progress and ends reporting. Called before the outcome is delivered.
    @MainActor
    func end() {
        let news = state.withLock { state -> TransferProgress? in
            state.hasEnded = true
            defer { state.isNew = false }
            return state.isNew ? state.progress : nil
        }
        if let news { tell(news) }
    }
}
