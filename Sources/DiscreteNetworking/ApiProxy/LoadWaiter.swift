/// Where the task of an `await load()` waits on the main actor.
///
/// The last steps of its call run in that task, so that the main actor is entered once and not twice.
struct LoadWaiter: Sendable {
    typealias Step = @MainActor @Sendable () -> Void

    private struct State {
        /// The steps to run, composed to one.
        var step: Step?
        var result: Result<any Sendable, APIError>?
        var continuation: CheckedContinuation<Void, Never>?
        /// Whether the task no longer waits.
        var hasEnded = false

        mutating func add(_ next: @escaping Step) {
            guard let first = step else {
                step = next
                return
            }
            step = {
                first()
                next()
            }
        }
    }

    private let state = Locked(State())

    /// Runs a step in the waiting task, on the main actor.
    /// - Returns: `false` if the task no longer waits; the step is not run.
    func perform(_ step: @escaping Step) -> Bool {
        let (waits, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.hasEnded else { return (false, nil) }
            state.add(step)
            defer { state.continuation = nil }
            return (true, state.continuation)
        }
        continuation?.resume()
        return waits
    }

    /// Ends the wait, after the steps that were added before.
    func finish(_ result: Result<any Sendable, APIError>) {
        let continuation = state.withLock { state in
            state.result = state.result ?? result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    /// The result of the call. Runs the steps added meanwhile.
    @MainActor
    var result: Result<any Sendable, APIError> {
        get async {
            while true {
                let (step, result) = take()
                if let result { return result }
                if let step { step() } else { await somethingToDo() }
            }
        }
    }

    /// Takes the steps, or the result if there are none.
    private func take() -> (Step?, Result<any Sendable, APIError>?) {
        state.withLock { state in
            if let step = state.step {
                state.step = nil
                return (step, nil)
            }
            state.hasEnded = state.result != nil
            return (nil, state.result)
        }
    }

    @MainActor
    private func somethingToDo() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.step == nil, state.result == nil else { return true }
                state.continuation = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
