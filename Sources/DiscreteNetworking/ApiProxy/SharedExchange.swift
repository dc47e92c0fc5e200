import Foundation

/// An exchange shared by several waiting calls.
///
/// A waiter leaves immediately when its task is canceled or its timeout expires. The exchange is canceled
/// when the last waiter leaves.
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

    /// - Parameter onEnd: Called once, when there is an outcome or no waiter is left.
    init(onEnd: @escaping @Sendable (SharedExchange) -> Void = { _ in }) { self.onEnd = onEnd }

    /// Adds a waiter; returns `nil` if the exchange has ended.
    func join() -> Waiter? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            let waiter = Waiter()
            state.waiters[ObjectIdentifier(waiter)] = waiter
            return waiter
        }
    }

    /// Sends the request. Called once, by the first waiter after joining.
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

    /// Waits for the outcome until a timeout in seconds or the cancellation of the current task.
    func outcome(for waiter: Waiter, within seconds: TimeInterval) async -> Outcome {
        let deadline =
            seconds.isFinite
            ? Deadlines.shared.schedule(after: seconds) {
                self.leave(waiter, TransportError(.timedOut, message: "The request timed out."))
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
