/// Where the task of an `await load()` waits on the main actor.
///
/// The last steps of its call run in that task, so that the main actor is entered once and not twice.
struct LoadWaiter: Sendable {
    typealias Step = @MainActor @Sendable () -> Void

    /// The steps to run, composed to one.
    private struct Steps { let run: Step }

    private struct State {
        var steps: Steps?
        var result: Result<any Sendable, APIError>?
        var continuation: CheckedContinuation<Void, Never>?
        /// Whether the task no longer waits.
        var hasEnded = false

        mutating func add(_ step: @escaping Step) {
            guard let earlier = steps else {
                steps = Steps(run: step)
                return
            }
            steps = Steps {
                earlier.run()
                step()
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
                let (steps, result) = take()
                if let result { return result }
                if let steps { steps.run() } else { await somethingToDo() }
            }
        }
    }

    /// Takes the steps, or the result if there are none.
    private func take() -> (Steps?, Result<any Sendable, APIError>?) {
        state.withLock { state in
            if let steps = state.steps {
                state.steps = nil
                return (steps, nil)
            }
            state.hasEnded = state.result != nil
            return (nil, state.result)
        }
    }

    @MainActor
    private func somethingToDo() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.steps == nil, state.result == nil else { return true }
                state.continuation = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
