import Foundation

/// Takes the progress of one call on any thread and brings it to the main actor: one visit at a time, the
/// newest value wins, so that a fast transfer does not flood it.
final class ProgressReporter: Sendable {
    private struct State {
        var progress = TransferProgress()
        /// What has not been told yet.
        var isNew = false
        var isOnItsWay = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let tell: @MainActor @Sendable (TransferProgress) -> Void
    private let visit: @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

    /// - Parameter visit: runs something on the main actor, soon.
    init(
        visit: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void = { work in
            Task { @MainActor in work() }
        },
        tell: @escaping @MainActor @Sendable (TransferProgress) -> Void
    ) {
        self.visit = visit
        self.tell = tell
    }

    /// What a transport knows. It may tell of one direction at a time.
    func report(_ progress: TransferProgress) {
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

    /// What a transport knows of the direction that goes out.
    func reportSent(_ progress: TransferProgress) {
        var sent = TransferProgress()
        (sent.sent, sent.expectedToSend) = (progress.sent, progress.expectedToSend)
        report(sent)
    }

    /// What a file has, with what it had before.
    func report(received count: Int64, of expected: Int64?) {
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

    /// Tells what has not been told, and nothing after that. Called before the outcome is told.
    @MainActor
    func end() {
        deliver()
        state.withLock { $0.hasEnded = true }
    }
}
