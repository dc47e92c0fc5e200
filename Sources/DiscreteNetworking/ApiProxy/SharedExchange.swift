import Foundation

/// One exchange on the wire shared by everybody who waits for it.
///
/// A waiter leaves at once when its task is cancelled or its time is up, whatever the transport does.
/// The last one to leave gives the exchange up.
final class SharedExchange: Sendable {
    typealias Outcome = Result<TransportResponse, TransportError>
    typealias Waiter = Promise<Outcome>

    private struct State {
        var waiters: [ObjectIdentifier: Waiter] = [:]
        var isOver = false
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let onEnd: @Sendable (SharedExchange) -> Void

    /// - Parameter onEnd: called once, when there is an outcome or nobody waits any longer.
    init(onEnd: @escaping @Sendable (SharedExchange) -> Void = { _ in }) { self.onEnd = onEnd }

    /// Puts somebody among the waiters; `nil` where the exchange is over.
    func join() -> Waiter? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            let waiter = Waiter()
            state.waiters[ObjectIdentifier(waiter)] = waiter
            return waiter
        }
    }

    /// Sends the request. Called once, by whoever made the exchange, after joining it.
    func start(_ request: APIRequest, over follower: RedirectFollower) {
        let task = Task { @concurrent in
            self.end(with: await follower.outcome(of: request))
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Waits for the outcome, for so many seconds and no longer than the current task lives.
    func outcome(for waiter: Waiter, within seconds: TimeInterval) async -> Outcome {
        let deadline =
            seconds.isFinite
            ? Deadlines.shared.schedule(after: seconds) {
                self.leave(waiter, TransportError(.timedOut, message: "The answer did not come in time."))
            } : nil
        defer { if let deadline { Deadlines.shared.cancel(deadline) } }
        return await withTaskCancellationHandler {
            await waiter.value
        } onCancel: {
            self.leave(waiter, .exchangeCancelled)
        }
    }

    private func leave(_ waiter: Waiter, _ error: TransportError) {
        let (isLast, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            guard state.waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil, state.waiters.isEmpty
            else {
                return (false, nil)
            }
            state.isOver = true
            defer { state.task = nil }
            return (true, state.task)
        }
        waiter.fulfil(.failure(error))
        guard isLast else { return }
        task?.cancel()
        onEnd(self)
    }

    private func end(with outcome: Outcome) {
        let waiters = state.withLock { state -> [Waiter]? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.task = nil
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        guard let waiters else { return }
        onEnd(self)
        for waiter in waiters { waiter.fulfil(outcome) }
    }
}
