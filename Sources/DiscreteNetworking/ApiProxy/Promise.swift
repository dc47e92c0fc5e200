/// A value that comes once. The first to fulfil it wins; one task may wait for it.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
    }

    private let state = Locked(State.open)

    /// - Returns: `false` where somebody else was first.
    @discardableResult
    func fulfil(_ value: Value) -> Bool {
        let before = state.withLock { state in
            defer { if case .fulfilled = state {} else { state = .fulfilled(value) } }
            return state
        }
        // Resumed outside the lock: what runs next may come back here.
        switch before {
        case .fulfilled: return false
        case .open: return true
        case .awaited(let continuation):
            continuation.resume(returning: value)
            return true
        }
    }

    /// The value, as soon as it is there.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if case .fulfilled(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
