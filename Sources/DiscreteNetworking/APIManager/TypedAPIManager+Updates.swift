import Foundation

extension TypedAPIManager {
    /// Calls, and gives what is kept at once where the manager's ``CachePolicy`` says so, and then what the server
    /// answers; otherwise the one answer.
    ///
    /// ```swift
    /// for try await profile in manager.updates() { show(profile) }       // at most twice
    /// ```
    /// Letting go of the sequence cancels what has not come yet; so does releasing the manager. It throws
    /// ``APIError``.
    public func updates(
        with params: Params? = nil, ignoringCache: Bool = false
    ) -> AsyncThrowingStream<Output, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Output.self)
        let running = Locked<(PendingCall, PendingCall.Listener?)?>(nil)
        var first: PendingCall?
        let (pending, listener) = start(with: params, ignoringCache: ignoringCache) { result in
            continuation.yield(with: Self.typed(result).mapError { $0 as any Error })
            // The manager has begun to ask again just now, on this actor, so that nothing can have come yet.
            guard case .success = result, let next = first?.followUp else { return continuation.finish() }
            let listener = next.addListener { result in
                continuation.yield(with: Self.typed(result).mapError { $0 as any Error })
                continuation.finish()
            }
            guard listener != nil else { return continuation.finish() }
            running.current = (next, listener)
        }
        first = pending
        running.current = (pending, listener)
        continuation.onTermination = { reason in
            guard case .cancelled = reason, let (pending, listener) = running.current, let listener else {
                return
            }
            pending.cancel(listener)
        }
        return stream
    }
}
