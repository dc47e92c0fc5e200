/// The environment of a service while a request is built: the one that was read first.
final class EnvironmentSnapshot: Sendable {
    @TaskLocal static var current: EnvironmentSnapshot?

    private struct State {
        var environment: (any Sendable)?
        var isOver = false
    }

    private let service: any Service
    private let state = Locked(State())

    /// - Returns: `nil` for a service without environments.
    init?(of service: any Service) {
        guard service is any EnvironmentService else { return nil }
        self.service = service
    }

    /// Ends the snapshot: a task that was started meanwhile, and goes on, sees the environment of its time.
    func end() { state.withLock { $0.isOver = true } }

    /// Returns the environment; `nil` if it is that of another service, or the snapshot has ended.
    func environment<Other: EnvironmentService>(of service: Other) -> Other.Environment? {
        guard self.service as AnyObject === service as AnyObject else { return nil }
        return state.withLock { state in
            guard !state.isOver else { return nil }
            let environment = state.environment as? Other.Environment ?? service.environment.current
            state.environment = environment
            return environment
        }
    }
}
