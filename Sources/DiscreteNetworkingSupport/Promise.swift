/// A value that comes once. The first to fulfil it wins; one task may wait for it, once.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
        /// The value is with the one who waited, and no longer here: a stream ends when its last owner goes.
        case delivered
    }

    private let state = Locked(State.open)

    package init() {}

    /// - Returns: `false` where somebody else was first.
    @discardableResult
    package func fulfil(_ value: Value) -> Bool {
        let before = state.withLock { state in
            let before = state
            switch before {
            case .open: state = .fulfilled(value)
            case .awaited: state = .delivered
            case .fulfilled, .delivered: break
            }
            return before
        }
        // Resumed outside the lock: what runs next may come back here.
        switch before {
        case .fulfilled, .delivered: return false
        case .open: return true
        case .awaited(let continuation):
            continuation.resume(returning: value)
            return true
        }
    }

    /// The value, as soon as it is there. Waits where the caller is: going elsewhere first would wake a thread
    /// for nothing.
    package nonisolated(nonsending) var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if case .fulfilled(let value) = state {
                        state = .delivered
                        return value
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
