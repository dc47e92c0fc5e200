import Foundation

/// An exchange shared by several waiting calls.
///
/// A waiter leaves immediately when its task is canceled or its timeout expires. The exchange is canceled
/// when the last waiter leaves.
package final class SharedExchange: Sendable {
    typealias Outcome = Result<TransportResponse, ExchangeFailure>
    typealias Waiter = Promise<Outcome>

    private struct State {
        var waiters: [ObjectIdentifier: Waiter] = [:]
        var isOver = false
        /// The slot that the request was sent with. The call that sent it may be canceled before the exchange ends.
        var slot: CallQueue.Slot?
        var task: Task<Void, Never>?
    }

    /// A waiter of an exchange, which leaves it when it is released.
    package final class Membership: AttemptState {
        package static let lifetime = SlotLifetime.attempt
        private let exchange: SharedExchange
        private let waiter: Waiter

        init(_ exchange: SharedExchange, _ waiter: Waiter) {
            (self.exchange, self.waiter) = (exchange, waiter)
        }

        deinit { exchange.leave(waiter, .exchangeCancelled) }

        /// Waits for the outcome; see ``SharedExchange/outcome(for:within:)``.
        func outcome(within seconds: TimeInterval) async -> Outcome {
            await exchange.outcome(for: waiter, within: seconds)
        }
    }

    private let state = Locked(State())
    private let onEnd: @Sendable (SharedExchange) -> Void

    /// - Parameter onEnd: Called once, when there is an outcome or no waiter is left.
    init(onEnd: @escaping @Sendable (SharedExchange) -> Void) { self.onEnd = onEnd }

    /// Adds a waiter; returns `nil` if the exchange has ended.
    func join() -> Waiter? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            let waiter = Waiter()
            state.waiters[waiter.id] = waiter
            return waiter
        }
    }

    /// Sends the request. Called once, by the first waiter after joining.
    /// - Parameter slot: A slot that is kept until the exchange ends.
    func start(_ request: APIRequest, over follower: RedirectFollower, slot: CallQueue.Slot?) {
        // Each waiter has its own timeout, which is not for the transport to keep.
        var asked = request
        if follower.keepsTimeouts { asked.timeout = .infinity }
        state.withLock { [asked] state in
            state.slot = slot
            state.task = Task { @concurrent in self.end(with: await follower.outcome(of: asked)) }
        }
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
        let (isLast, task, slot) = state.withLock { state -> (Bool, Task<Void, Never>?, CallQueue.Slot?) in
            guard state.waiters.removeValue(forKey: waiter.id) != nil, state.waiters.isEmpty
            else {
                return (false, nil, nil)
            }
            state.isOver = true
            defer { (state.task, state.slot) = (nil, nil) }
            return (true, state.task, state.slot)
        }
        waiter.fulfil(.failure(ExchangeFailure(error)))
        guard isLast else { return }
        task?.cancel()
        onEnd(self)
        // Released outside the lock, and after the exchange is canceled.
        withExtendedLifetime(slot) {}
    }

    private func end(with outcome: Outcome) {
        let (waiters, slot) = state.withLock { state -> ([Waiter]?, CallQueue.Slot?) in
            guard !state.isOver else { return (nil, nil) }
            state.isOver = true
            defer { (state.task, state.slot, state.waiters) = (nil, nil, [:]) }
            return (Array(state.waiters.values), state.slot)
        }
        // Released outside the lock.
        withExtendedLifetime(slot) {}
        guard let waiters else { return }
        onEnd(self)
        for waiter in waiters { waiter.fulfil(outcome) }
    }
}

extension Attempt {
    /// The identical request in flight that it shares; `nil` if it has to be sent.
    var membership: SharedExchange.Membership? {
        get { self[SharedExchange.Membership.self] }
        set { self[SharedExchange.Membership.self] = newValue }
    }
}
