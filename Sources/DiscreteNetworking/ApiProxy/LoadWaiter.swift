/// Where the task of an `await load()` waits on the main actor.
///
/// The last steps of its call run in that task, so that the main actor is entered once and not twice.
final class LoadWaiter: Sendable {
    private struct Entry { let step: @MainActor @Sendable () -> Void }

    private struct State {
        var steps: [Entry] = []
        var result: Result<any Sendable, APIError>?
        var continuation: CheckedContinuation<Void, Never>?
        /// Whether the task no longer waits.
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Runs a step in the waiting task, on the main actor.
    /// - Returns: `false` if the task no longer waits; the step is not run.
    func perform(_ step: @escaping @MainActor @Sendable () -> Void) -> Bool {
        let (waits, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.hasEnded else { return (false, nil) }
            state.steps.append(Entry(step: step))
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
                for entry in steps { entry.step() }
                if let result { return result }
                if steps.isEmpty { await somethingToDo() }
            }
        }
    }

    private func take() -> ([Entry], Result<any Sendable, APIError>?) {
        state.withLock { state in
            guard state.steps.isEmpty else {
                defer { state.steps = [] }
                return (state.steps, nil)
            }
            state.hasEnded = state.result != nil
            return ([], state.result)
        }
    }

    @MainActor
    private func somethingToDo() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.steps.isEmpty, state.result == nil else { return true }
                state.continuation = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
