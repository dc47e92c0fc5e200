/// The tasks of a group. `Sendable`, because a `deinit` may run on any thread.
final class GroupTasks: Sendable {
    private struct State {
        var last = 0
        var running: [Int: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    var isAnyRunning: Bool { state.withLock { !$0.running.isEmpty } }

    /// Runs work in a task, then a conclusion once the task is no longer counted as running. Canceled tasks
    /// run to their end.
    /// - Returns: The number of the task, for cancellation.
    func run<Value: Sendable>(
        _ work: @escaping @MainActor @Sendable () async -> Value,
        then conclude: @escaping @MainActor @Sendable (Value) -> Void
    ) -> Int {
        state.withLock { state in
            state.last += 1
            let number = state.last
            state.running[number] = Task { @MainActor [weak self] in
                let value = await work()
                _ = self?.end(number)
                conclude(value)
            }
            return number
        }
    }

    func cancel(_ number: Int) { end(number)?.cancel() }

    func cancelAll() {
        let tasks = state.withLock { state in
            defer { state.running = [:] }
            return state.running.values
        }
        for task in tasks { task.cancel() }
    }

    private func end(_ number: Int) -> Task<Void, Never>? {
        state.withLock { $0.running.removeValue(forKey: number) }
    }
}
