import Foundation

extension TypedAPIManager {
    /// Starts a call and returns its outputs: with ``CachePolicy/Mode/staleWhileRevalidate`` a stored
    /// output first and then the server's, otherwise one output.
    ///
    /// ```swift
    /// // At most twice.
    /// for try await user in userManager.updates() { show(user) }
    /// ```
    ///
    /// Releasing the sequence or the manager cancels the call. Throws ``APIError``.
    public func updates(
        with params: Params? = nil, ignoringCache: Bool = false
    ) -> AsyncThrowingStream<Output, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Output.self)
        let running = Locked<(PendingCall, PendingCall.Listener?)?>(nil)
        var first: PendingCall?
        let completion = PendingCall.Completion.closure { result in
            continuation.yield(with: Self.typed(result).mapError { $0 as any Error })
            // The revalidation has just started on this actor, so it cannot have an outcome yet.
            guard case .success = result, let next = first?.followUp else { return continuation.finish() }
            let listener = next.addListener(
                PendingCall.Completion.closure { result in
                    continuation.yield(with: Self.typed(result).mapError { $0 as any Error })
                    continuation.finish()
                })
            guard listener != nil else { return continuation.finish() }
            running.current = (next, listener)
        }
        let (pending, listener) = start(
            with: params, ignoringCache: ignoringCache, completion: completion)
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

/// The call that revalidates a cached response that a call has served; see ``CachePolicy/Mode/staleWhileRevalidate``.
private struct FollowUp: CallState {
    let call: PendingCall
}

extension PendingCall {
    /// The call that revalidates the cached response that this call has served.
    var followUp: PendingCall? {
        get { self[FollowUp.self]?.call }
        set { self[FollowUp.self] = newValue.map(FollowUp.init) }
    }
}
