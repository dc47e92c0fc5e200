/// Who is told how a call ends: one for each `loadData` or `load` that the call serves.
struct CallListeners: Sendable {
    /// A callback for the result of a call.
    enum Completion: Sendable {
        case closure(@MainActor @Sendable (Result<any Sendable, APIError>) -> Void)
        /// The task that waits for the result.
        case waiter(LoadWaiter)

        @MainActor
        func callAsFunction(_ result: Result<any Sendable, APIError>) {
            switch self {
            case .closure(let tell): tell(result)
            case .waiter(let waiter): waiter.finish(result)
            }
        }
    }

    /// Identifies a listener.
    struct Listener: Hashable, Sendable { fileprivate let number: Int }

    private var entries: [(listener: Listener, completion: Completion?)] = []
    private var last = 0
    /// The task that runs the last steps of the call; `nil` for a task of their own.
    private(set) var waiter: LoadWaiter?

    var count: Int { entries.count }

    mutating func add(_ completion: Completion?) -> Listener {
        last += 1
        let listener = Listener(number: last)
        if waiter == nil, case .waiter(let first)? = completion { waiter = first }
        entries.append((listener, completion))
        return listener
    }

    func contains(_ listener: Listener) -> Bool { entries.contains { $0.listener == listener } }

    /// - Returns: The callback of the listener.
    mutating func remove(_ listener: Listener) -> Completion? {
        entries.firstIndex { $0.listener == listener }.flatMap { entries.remove(at: $0).completion }
    }

    /// Removes all listeners, and returns their callbacks.
    mutating func removeAll() -> [Completion] {
        defer { entries = [] }
        return entries.compactMap(\.completion)
    }
}
