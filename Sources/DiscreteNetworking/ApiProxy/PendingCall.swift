import Foundation

/// A call between `loadData` and its one outcome.
///
/// Whoever ends it first decides the outcome: the pipeline, a cancellation, or the manager's release.
final class PendingCall: Sendable {
    typealias Completion = @MainActor @Sendable (Result<any Sendable, APIError>) -> Void

    /// Everybody who is told: one for each `loadData` or `load` that this call answers.
    struct Listener: Hashable, Sendable { fileprivate let number: Int }

    private struct State {
        var listeners: [(Listener, Completion?)] = []
        var lastListener = 0
        var task: Task<Void, Never>?
        var gate: TransferGate?
        var hasEnded = false
        var followUp: PendingCall?
        var latest: APICall?
    }

    /// The call as it began; see ``latest``.
    let call: APICall
    let proxy: ApiProxy
    let events: CallEvents
    /// When the call began, by the proxy's clock, in seconds.
    let startTime: TimeInterval
    /// Weak: a call never keeps its manager.
    private let owner: @Sendable () -> (any CallOwner)?
    private let state = Locked(State())
    /// `nil` where nobody listens.
    let progress: ProgressReporter?

    @MainActor
    init(_ call: APICall, proxy: ApiProxy, owner: any CallOwner) {
        self.call = call
        self.proxy = proxy
        self.owner = { [weak owner] in owner }
        progress = owner.wantsProgress ? ProgressReporter(tell: { [weak owner] in owner?.tell($0) }) : nil
        events = proxy.events()
        startTime = proxy.clock.uptime
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The call that asks the server again, where this one was answered from a cache; see
    /// ``CachePolicy/Mode/staleWhileRevalidate``.
    var followUp: PendingCall? {
        get { state.withLock { $0.followUp } }
        set { state.withLock { $0.followUp = newValue } }
    }

    /// The call in the attempt that it has come to.
    var latest: APICall {
        get { state.withLock { $0.latest } ?? call }
        set { state.withLock { $0.latest = newValue } }
    }

    /// Where the call's transfer waits while it is paused; made when it is first needed.
    var gate: TransferGate {
        state.withLock { state in
            let gate = state.gate ?? TransferGate()
            state.gate = gate
            return gate
        }
    }

    /// Adds somebody to be told; `nil` where the call is over.
    func addListener(_ completion: Completion?) -> Listener? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.lastListener += 1
            let listener = Listener(number: state.lastListener)
            state.listeners.append((listener, completion))
            return listener
        }
    }

    /// Runs the pipeline of the call.
    /// - Parameter seconds: to wait before.
    func start(after seconds: TimeInterval = 0) {
        proxy.track(self)
        events.emit(.started, of: call)
        goOn { [self] in await CallPipeline(pending: self).run(after: seconds) }
    }

    /// Goes on with the pipeline in a task of its own, and gives up the task there was.
    func goOn(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { @concurrent in await work() }
        let needless = state.withLock { state in
            guard !state.hasEnded else { return task as Task<Void, Never>? }
            defer { state.task = task }
            return state.task
        }
        needless?.cancel()
    }

    // MARK: The one outcome

    /// Marks the call as ended, and gives those to be told; `nil` if it already was.
    private func end() -> [Completion]? {
        let (completions, task) = state.withLock { state -> ([Completion]?, Task<Void, Never>?) in
            guard !state.hasEnded else { return (nil, nil) }
            state.hasEnded = true
            defer {
                state.listeners = []
                state.task = nil
            }
            return (state.listeners.compactMap(\.1), state.task)
        }
        guard let completions else { return nil }
        proxy.untrack(call.requestID)
        // After the pipeline's own last step this does nothing; before it, it stops the pipeline.
        task?.cancel()
        return completions
    }

    /// Ends the call now; everybody is told `.cancelled` a moment later.
    func cancel() { fail(.cancelled) }

    /// Ends the call now, because its manager goes away: the error says how to keep one.
    func cancelForRelease() {
        fail(
            .cancelled,
            hint: """
                \(call.managerType) was released before the answer came, which cancels its calls. Keep it in a \
                property; or write "try await manager.load()" or "manager.loadOnce { … }", which hold it until \
                the answer.
                """)
    }

    /// Ends the call now; everybody is told a moment later, never before the caller has returned.
    func fail(_ kind: APIError.Kind, hint: String? = nil) {
        guard let completions = end() else { return }
        let error = proxy.error(kind, of: latest, hint: hint)
        deliverLater(.failed(error, isSwallowed: false), to: completions)
    }

    /// One listener no longer wants the answer. When nobody does, the call is cancelled.
    func cancel(_ listener: Listener) {
        let (completion, isLast) = state.withLock { state -> (Completion?, Bool) in
            guard let index = state.listeners.firstIndex(where: { $0.0 == listener }) else {
                return (nil, false)
            }
            guard state.listeners.count > 1 else { return (nil, true) }
            return (state.listeners.remove(at: index).1, false)
        }
        if isLast { cancel() }
        guard let completion else { return }
        let error = proxy.error(.cancelled, of: call)
        Task { @MainActor in completion(.failure(error)) }
    }

    private func deliverLater(_ outcome: CallOutcome, to completions: [Completion]) {
        Task { @MainActor in self.deliver(outcome, to: completions) }
    }

    /// Validates a response and, where it is right, ends the call with it, in one visit to the main actor.
    ///
    /// Does not wait for that: coming back from the main actor would only wake another thread.
    /// - Parameters:
    ///   - store: done before anybody is told, off the main actor, where the validator lets the response pass.
    ///   - refused: goes on with the pipeline where the validator refuses the response.
    func accept(
        _ response: APIResponse, store: (@Sendable () async -> Void)? = nil,
        refused: @escaping @Sendable (_ reason: String) async -> Void
    ) {
        Task { @MainActor in
            guard !self.hasEnded else { return }
            if let reason = self.owner()?.rejectionReason(for: response) {
                self.goOn { await refused(reason) }
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
    private func deliver(_ outcome: CallOutcome, to completions: [Completion]) {
        progress?.end()
        events.emit(.finished(outcome.error), of: latest)
        if let owner = owner() {
            owner.conclude(self, outcome, completions)
        } else {
            for completion in completions { completion(outcome.result) }
        }
    }
}

/// How a call ended, before the manager's hooks have seen it.
enum CallOutcome: Sendable {
    case succeeded(APIResponse)
    /// A swallowed failure is not told to the delegate.
    case failed(APIError, isSwallowed: Bool)

    var error: APIError? { if case .failed(let error, _) = self { error } else { nil } }

    var response: APIResponse? {
        switch self {
        case .succeeded(let response): response
        case .failed(let error, _): error.response
        }
    }

    var result: Result<any Sendable, APIError> {
        switch self {
        case .succeeded(let response): .success(response.output ?? NoContent())
        case .failed(let error, _): .failure(error)
        }
    }
}
