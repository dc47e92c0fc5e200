import Dispatch
import Foundation

/// A call between `loadData` and its single outcome.
///
/// The first event that ends it determines the outcome: its steps, a cancellation, or the release of the manager.
package final class PendingCall: Sendable {
    /// Identifies a completion, or a caller without one.
    struct Listener: Hashable, Sendable { fileprivate let number: Int }

    private struct State: SelfChecking {
        /// Weak: a call never keeps its manager.
        weak var owner: (any CallOwner)?
        var hasStarted = false
        var hasEnded = false
        var listeners: [(listener: Listener, completion: Completion?)] = []
        /// How many listeners there have been.
        var listenerCount = 0
        /// The task that runs the last steps of the call; `nil` for a task of their own.
        var waiter: LoadWaiter?
        var task: Task<Void, Never>?
        var resources = CallResources()
        var slots = Slots()
        var latest: APICall?
        var plan: CallPlan?
        /// See ``emitMiss(_:_:of:)``.
        var misses: [String] = []

        func checkInvariants() {
            assert(!hasEnded || listeners.isEmpty, "a call that has ended has listeners")
            assert(!hasEnded || task == nil, "a call that has ended has a task")
            assert(misses.count <= 8, "the misses of a call grow")
        }
    }

    /// The call as it was started; see ``latest``.
    package let call: APICall
    package let proxy: ApiProxy
    /// The plugins of the proxy when the call started.
    package let plugins: [any APIPlugin]
    /// Whether the manager had a validator when the call started.
    package let validates: Bool
    /// The call that made this one in a hook; `nil` if there is none.
    let caller: (any RunningCall)?
    let ending: Ending?
    /// The start of the call by the proxy's clock, in seconds.
    let startTime: TimeInterval
    /// `nil` if progress is not observed.
    package let progress: ProgressReporter?
    /// The observers of the proxy when the call started.
    private let observers: [any APICallObserver]
    /// When it started, in nanoseconds; 0 without observers.
    private let observedSince: UInt64
    private let state: Locked<State>

    @MainActor
    init(_ call: APICall, proxy: ApiProxy, owner: any CallOwner, ending: Ending? = nil) {
        self.call = call
        self.ending = ending
        self.proxy = proxy
        plugins = proxy.plugins
        validates = owner.validates
        state = Locked(State(owner: owner))
        progress = owner.wantsProgress ? ProgressReporter(tell: { [weak owner] in owner?.tell($0) }) : nil
        caller = CallContext.current.running.flatMap { $0.hasEnded ? nil : $0 }
        observers = proxy.currentObservers
        observedSince = observers.isEmpty ? 0 : DispatchTime.now().uptimeNanoseconds
        startTime = proxy.clock.uptime
        call.overrides.deadlineScope?.start(by: proxy, orAt: startTime)
    }

    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The manager that made the call; `nil` if it was released.
    var manager: (any CallOwner)? { state.withLock { $0.owner } }

    /// The call in its current attempt.
    var latest: APICall {
        get { state.withLock { $0.latest } ?? call }
        set { state.withLock { $0.latest = newValue } }
    }

    /// What holds for the call in its current attempt; `nil` before the first one.
    var plan: CallPlan? { state.withLock { $0.plan } }

    /// Notes that an attempt begins.
    func begin(_ attempt: Attempt) {
        state.withLock { ($0.latest, $0.plan) = (attempt.call, attempt.plan) }
    }

    /// Adds a listener; returns `nil` if the call has ended.
    func addListener(_ completion: Completion?) -> Listener? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.listenerCount += 1
            let listener = Listener(number: state.listenerCount)
            if state.waiter == nil, case .waiter(let first)? = completion { state.waiter = first }
            state.listeners.append((listener, completion))
            return listener
        }
    }

    // MARK: Resources

    /// Uses what the call holds.
    func withResources<Value>(_ use: (inout CallResources) -> Value) -> Value {
        state.withLock { use(&$0.resources) }
    }

    /// Uses what policies keep with the call; see ``subscript(_:)``.
    func withSlots<Value>(_ use: (inout Slots) -> Value) -> Value { state.withLock { use(&$0.slots) } }

    // MARK: Steps

    /// Starts the call.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    func start(after pause: TimeInterval = 0) {
        proxy.track(self)
        let isOpen = state.withLock { state in
            state.hasStarted = !state.hasEnded
            return state.hasStarted
        }
        // Who observes the manager may have canceled it already.
        guard isOpen else { return proxy.untrack(call.requestID) }
        emit(.started, of: call)
        let task = MemoryStorage.within(proxy.services.memory) {
            Task { @concurrent in
                self.conclude(
                    await CallContext.$current.withValue(.with { $0.running = self }) {
                        await self.outcome(after: pause)
                    })
            }
        }
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.task = task }
            return state.hasEnded
        }
        if hasEnded { task.cancel() }
    }

    /// Ends the call after its last step.
    private func conclude(_ outcome: CallOutcome?) {
        // A task that was canceled has no say: the call has ended, or others end it; see ``stop()``.
        guard let outcome, !Task.isCancelled else { return }
        visitMain { if let completions = self.end() { self.deliver(outcome, to: completions) } }
    }

    /// Asks the validator of the manager about a decoded response, on the main actor.
    /// - Returns: Why the response is invalid; `nil` if it is valid, or the call has ended.
    package func rejectionReason(for response: APIResponse) async -> String? {
        guard validates else { return nil }
        return await withCheckedContinuation { continuation in
            visitMain {
                let owner = self.state.withLock { $0.hasEnded ? nil : $0.owner }
                let reason = CallContext.leaving { owner?.rejectionReason(for: response) }
                continuation.resume(returning: reason)
            }
        }
    }

    /// Runs a step on the main actor, never before this returns.
    private func visitMain(_ step: @escaping @MainActor @Sendable () -> Void) {
        if state.withLock({ $0.waiter })?.perform(step) == true { return }
        Task { @MainActor in step() }
    }

    // MARK: Outcome

    /// Marks the call as ended and returns its completions; returns `nil` if it already was.
    private func end() -> Completions? {
        let end = state.withLock {
            state -> (completions: Completions, task: Task<Void, Never>?, slot: Int?)? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            defer { (state.task, state.listeners) = (nil, []) }
            return (Completions(listeners: state.listeners), state.task, state.resources.slot?.id)
        }
        guard let end else { return nil }
        proxy.untrack(call.requestID)
        // Ends the steps; has no effect after the last one.
        end.task?.cancel()
        if end.slot != nil { releaseSlot() }
        return end.completions
    }

    /// Ends the call from outside of its steps; the outcome is delivered asynchronously.
    func finish(_ outcome: CallOutcome) {
        guard let completions = end() else { return }
        visitMain { self.deliver(outcome, to: completions) }
    }

    /// Stops the steps of the call, which is then ended by ``finish(_:)``.
    func stop() {
        state.withLock { $0.task }?.cancel()
        releaseSlot()
    }

    /// Ends the call with a failure.
    @MainActor
    func report(_ error: APIError) {
        if let completions = end() { deliver(.failed(error, isSwallowed: false), to: completions) }
    }

    /// Ends the call with a failure; the outcome is delivered asynchronously, after the caller has returned.
    ///
    /// Not inlined: ten places that cancel calls would have 3 KB of it each.
    @inline(never)
    func fail(_ kind: APIError.Kind, hint: String? = nil) {
        guard let completions = end() else { return }
        let error = proxy.error(kind, of: latest, hint: hint)
        visitMain { self.deliver(.failed(error, isSwallowed: false), to: completions) }
    }

    /// Cancels the call; the outcome is delivered asynchronously.
    func cancel() { fail(.cancelled) }

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

    @MainActor
    private func deliver(_ outcome: CallOutcome, to completions: Completions) {
        progress?.end()
        // A call that a delegate starts is not part of this one.
        CallContext.leaving {
            let (owner, misses, hasStarted) = state.withLock { ($0.owner, $0.misses, $0.hasStarted) }
            emit(
                .finished(outcome.error), of: latest,
                end: .init(misses: misses, hasStarted: hasStarted, response: outcome.response))
            // A call that is made again later: its manager is not told yet.
            let isInterim =
                call.constants.overrides.carrier.flatMap { outcome.error.map($0.isInterim) } ?? false
            if let owner, !isInterim {
                owner.conclude(self, outcome, completions)
            } else {
                completions(outcome.result)
            }
        }
    }
}

// MARK: Events

extension PendingCall: RunningCall {
    var dispatcher: any CallDispatcher { proxy }
    var holdsSlot: Bool { slot != nil }

    /// Whether the call has observers.
    package var isObserved: Bool { !observers.isEmpty }

    /// Reports an event of the call, which is created only if there are observers.
    /// - Parameters:
    ///   - renewal: The refresh, login or CSRF token that the call waits for.
    package func emit(
        _ kind: @autoclosure () -> APICallEvent.Kind, of call: @autoclosure () -> APICall,
        awaiting renewal: RenewalMark? = nil, end: @autoclosure () -> APICallEvent.End? = nil
    ) {
        if !observers.isEmpty { tell(kind, renewal, end, call) }
    }

    /// Not inlined: the async frame of each step that reports an event would have 1.1 KB for it, and a call allocates one more time.
    @inline(never)
    private func tell(
        _ kind: () -> APICallEvent.Kind, _ awaited: RenewalMark?, _ end: () -> APICallEvent.End?,
        _ call: () -> APICall
    ) {
        let elapsed = TimeInterval(DispatchTime.now().uptimeNanoseconds - observedSince) / 1e9
        let event = APICallEvent(
            call: call(), date: Date(), elapsed: elapsed, kind: kind(), awaited: awaited, end: end())
        // Hooks of observers are hooks of the call.
        let context = CallContext.with { ($0.running, $0.storage) = (self, nil) }
        CallContext.$current.withValue(context) { for observer in observers { observer.observe(event) } }
    }

    /// Reports why the call is sent although a response might be there, and reports it again at the end of the call if the app
    /// can do something about it.
    package func emitMiss(_ kind: APICallEvent.Kind, _ reason: MissReason, of call: APICall) {
        let text = kind.description
        if reason.isAvoidable {
            // A call that is retried without end must not grow.
            state.withLock { if $0.misses.count < 8, !$0.misses.contains(text) { $0.misses.append(text) } }
        }
        emit(kind, of: call)
    }
}
