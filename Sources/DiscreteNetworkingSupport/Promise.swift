/// A value that is set once. The first fulfillment counts; one task may wait for it, once. Copies share it.
package struct Promise<Value: Sendable>: Sendable, Identifiable {
    @usableFromInline
    package enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
        /// The value was delivered and is no longer retained: a stream ends when its last owner releases
        /// it.
        case delivered
    }

    @usableFromInline package let state: Locked<State>

    @inlinable
    package init() { state = Locked(.open) }

    /// The same for all copies.
    package var id: ObjectIdentifier { state.id }

    /// Fulfills the promise.
    /// - Returns: `false` if it already was.
    @discardableResult
    @inlinable
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
        // Resumed outside the lock: the continuation may access this promise.
        switch before {
        case .fulfilled, .delivered: return false
        case .open: return true
        case .awaited(let continuation):
            continuation.resume(returning: value)
            return true
        }
    }

    /// The value, as soon as it is set. Waits on the caller's executor, to avoid waking another thread.
    @inlinable
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
