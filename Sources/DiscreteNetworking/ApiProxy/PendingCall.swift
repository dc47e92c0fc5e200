import Foundation

/// A call between `loadData` and its single outcome.
///
/// The first event that ends it determines the outcome: the pipeline, a cancellation, or the release of the
/// manager.
final class PendingCall: Sendable {
    /// A callback for the result of a call.
    enum Completion: Sendable {
        case closure(@MainActor @Sendable (Result<any Sendable, APIError>) -> Void)
        /// The task that waits for the result.
        case waiter(LoadWaiter)

        fileprivate var waiter: LoadWaiter? { if case .waiter(let waiter) = self { waiter } else { nil } }

        @MainActor
        func callAsFunction(_ result: Result<any Sendable, APIError>) {
            switch self {
            case .closure(let tell): tell(result)
            case .waiter(let waiter): waiter.finish(result)
            }
        }
    }

    /// A recipient of the outcome: one for each `loadData` or `load` that this call serves.
    struct Listener: Hashable, Sendable { fileprivate let number: Int }

    fileprivate struct Entry: Sendable {
        let listener: Listener
        let completion: Completion?
    }

    /// The callbacks for the result of a call.
    struct Completions: Sendable {
        fileprivate let entries: [Entry]

        @MainActor
        func callAsFunction(_ result: Result<any Sendable, APIError>) {
            for entry in entries { entry.completion?(result) }
        }
    }

    private struct State {
        /// Weak: a call never keeps its manager.
        weak var owner: (any CallOwner)?
        /// The task that runs the last steps; `nil` for a task of their own.
        var waiter: LoadWaiter?
        var listeners: [Entry] = []
        var lastListener = 0
        var task: Task<Void, Never>?
        var gate: TransferGate?
        /// The slot of the current attempt, if the service or the endpoint has a limit.
        var slot: CallQueue.Slot?
        /// The place among the calls that wait for a slot, if the call keeps the one that it had.
        var turn: Int?
        var hasEnded = false
        var followUp: PendingCall?
        var latest: APICall?
        /// See ``emitMiss(_:_:of:)``.
        var misses: [String] = []
    }

    /// The call as it was started; see ``latest``.
    let call: APICall
    let proxy: ApiProxy
    /// The call in whose hook this one was made.
    let caller: (any RunningCall)?
    private let reporter: CallEvents
    /// The start of the call by the proxy's clock, in seconds.
    let startTime: TimeInterval
    private let state: Locked<State>
    /// `nil` if progress is not observed.
    let progress: ProgressReporter?

    @MainActor
    init(_ call: APICall, proxy: ApiProxy, owner: any CallOwner) {
        self.call = call
        self.proxy = proxy
        state = Locked(State(owner: owner))
        progress = owner.wantsProgress ? ProgressReporter(tell: { [weak owner] in owner?.tell($0) }) : nil
        caller = APICall.running.flatMap { $0.hasEnded ? nil : $0 }
        reporter = proxy.events()
        startTime = proxy.clock.uptime
    }

    var events: CallEvents { reporter.of(self) }

    private var owner: (any CallOwner)? { state.withLock { $0.owner } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The call that revalidates a stored response that this call served; see
    /// ``CachePolicy/Mode/staleWhileRevalidate``.
    var followUp: PendingCall? {
        get { state.withLock { $0.followUp } }
        set { state.withLock { $0.followUp = newValue } }
    }

    /// The call in its current attempt.
    var latest: APICall {
        get { state.withLock { $0.latest } ?? call }
        set { state.withLock { $0.latest = newValue } }
    }

    /// The gate that pauses the call's transfer, created lazily.
    var gate: TransferGate {
        state.withLock { state in
            let gate = state.gate ?? TransferGate()
            state.gate = gate
            return gate
        }
    }

    /// Adds a listener; returns `nil` if the call has ended.
    func addListener(_ completion: Completion?) -> Listener? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.lastListener += 1
            let listener = Listener(number: state.lastListener)
            state.waiter = state.waiter ?? completion?.waiter
            state.listeners.append(Entry(listener: listener, completion: completion))
            return listener
        }
    }

    /// Runs a step on the main actor, never before this returns.
    private func visitMain(_ step: @escaping @MainActor @Sendable () -> Void) {
        if state.withLock({ $0.waiter })?.perform(step) == true { return }
        APICall.leaving { _ = Task { @MainActor in step() } }
    }

    /// Reports why the call is sent although a response might be there, and repeats it at the end of the call if the app
    /// can do something about it.
    func emitMiss(_ kind: APICallEvent.Kind, _ reason: MissReason, of call: APICall) {
        let text = kind.description
        if reason.isAvoidable {
            // A call that is retried without end must not grow.
            state.withLock { if $0.misses.count < 8, !$0.misses.contains(text) { $0.misses.append(text) } }
        }
        events.emit(kind, of: call)
    }

    /// Starts the pipeline of the call.
    /// - Parameter seconds: The delay before the first attempt.
    func start(after seconds: TimeInterval = 0) {
        proxy.track(self)
        events.emit(.started, of: call)
        goOn { await CallPipeline(pending: self).run(after: seconds) }
    }

    /// Continues the pipeline in another task, and cancels the current one.
    func goOn(_ work: @escaping @Sendable () async -> Void) {
        let task = MemoryStorage.within(proxy.services.memory) {
            Task { @concurrent in await APICall.$running.withValue(self, operation: work) }
        }
        let needless = state.withLock { state in
            guard !state.hasEnded else { return task as Task<Void, Never>? }
            defer { state.task = task }
            return state.task
        }
        needless?.cancel()
    }

    // MARK: Limits

    var slot: CallQueue.Slot? { state.withLock { $0.slot } }
    var turn: Int? { state.withLock { $0.turn } }

    /// Keeps a slot until the attempt or the call ends.
    func hold(_ slot: CallQueue.Slot) {
        let old = state.withLock { state -> CallQueue.Slot? in
            defer { if !state.hasEnded { (state.slot, state.turn) = (slot, slot.turn) } }
            return state.slot
        }
        // Released outside the lock.
        withExtendedLifetime(old) {}
    }

    /// Lets the next call of the service be sent. The call keeps its place among those that wait.
    /// - Parameter id: The slot to release; `nil` for any.
    func releaseSlot(_ id: Int? = nil) {
        // Released outside the lock.
        _ = state.withLock { state -> CallQueue.Slot? in
            guard id == nil || id == state.slot?.id else { return nil }
            defer { state.slot = nil }
            return state.slot
        }
    }

    /// Gives up the place among the calls that wait: a retry begins to wait anew.
    func forgetTurn() { state.withLock { $0.turn = nil } }

    // MARK: Outcome

    /// Marks the call as ended and returns its completions; returns `nil` if it already was.
    private func end() -> Completions? {
        let (entries, task) = state.withLock { state -> ([Entry]?, Task<Void, Never>?) in
            guard !state.hasEnded else { return (nil, nil) }
            state.hasEnded = true
            defer {
                state.listeners = []
                state.task = nil
            }
            return (state.listeners, state.task)
        }
        guard let entries else { return nil }
        proxy.untrack(call.requestID)
        // Cancels the pipeline; has no effect after its last step.
        task?.cancel()
        releaseSlot()
        return Completions(entries: entries)
    }

    /// Cancels the call; the outcome is delivered asynchronously.
    func cancel() { fail(.cancelled) }

    /// Cancels the call because its manager was released; the error explains how to retain it.
    func cancelForRelease() {
        fail(
            .cancelled,
            hint: """
                \(call.managerType) was released before its call ended, which cancels its calls. Store it in a \
                property, or use "try await manager.load()" or "manager.loadOnce { … }", which retain it.
                """)
    }

    /// Ends the call with a failure; the outcome is delivered asynchronously, after the caller has
    /// returned.
    func fail(_ kind: APIError.Kind, hint: String? = nil) {
        guard let completions = end() else { return }
        let error = proxy.error(kind, of: latest, hint: hint)
        deliverLater(.failed(error, isSwallowed: false), to: completions)
    }

    /// Removes a listener. The call is canceled if it was the last one.
    func cancel(_ listener: Listener) {
        let (completion, isLast) = state.withLock { state -> (Completion?, Bool) in
            guard let index = state.listeners.firstIndex(where: { $0.listener == listener }) else {
                return (nil, false)
            }
            guard state.listeners.count > 1 else { return (nil, true) }
            return (state.listeners.remove(at: index).completion, false)
        }
        if isLast { cancel() }
        guard let completion else { return }
        let error = proxy.error(.cancelled, of: call)
        Task { @MainActor in completion(.failure(error)) }
    }

    private func deliverLater(_ outcome: CallOutcome, to completions: Completions) {
        visitMain { self.deliver(outcome, to: completions) }
    }

    /// Validates a response and, if valid, ends the call with it, in one hop to the main actor.
    ///
    /// Does not wait for completion: returning from the main actor would wake another thread for nothing.
    /// - Parameters:
    ///   - store: Stores a valid response, off the main actor, before the outcome is delivered.
    ///   - refused: Continues the pipeline if the response is invalid.
    func accept(
        _ response: APIResponse, store: (@Sendable () async -> Void)? = nil,
        refused: @escaping @Sendable (_ response: APIResponse, _ reason: String) async -> Void
    ) {
        visitMain {
            guard !self.hasEnded else { return }
            if let reason = self.owner?.rejectionReason(for: response) {
                self.goOn { await refused(response, reason) }
            } else if let store {
                self.goOn {
                    await store()
                    await self.succeed(response)
                }
            } else {
                self.succeed(response)
            }
        }
    }

    @MainActor
    private func succeed(_ response: APIResponse) {
        if let completions = end() { deliver(.succeeded(response), to: completions) }
    }

    /// Ends the call with a failure.
    @MainActor
    func report(_ error: APIError, isSwallowed: Bool = false) {
        if let completions = end() { deliver(.failed(error, isSwallowed: isSwallowed), to: completions) }
    }

    @MainActor
    private func deliver(_ outcome: CallOutcome, to completions: Completions) {
        progress?.end()
        events.emitEnd(outcome.error, misses: state.withLock { $0.misses }, of: latest)
        // A call that a delegate starts is not part of this one.
        APICall.leaving {
            if let owner {
                owner.conclude(self, outcome, completions)
            } else {
                completions(outcome.result)
            }
        }
    }
}

extension PendingCall: RunningCall {
    var dispatcher: any CallDispatcher { proxy }
    var holdsSlot: Bool { slot != nil }
}
