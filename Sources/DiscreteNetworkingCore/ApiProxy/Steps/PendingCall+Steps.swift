package import Foundation

/// What the steps ask of their call.
extension PendingCall {
    // MARK: Waiting

    /// Reports to the observers that a call waits for its session, without a slot.
    func tellWait(_ call: APICall) -> TokenSession.OnWait {
        { [self] need, renewal in
            releaseSlot()
            let wait = need == .login ? CallWait.login : .refresh
            noteWait(wait)
            emit(.waiting(for: wait), of: call, awaiting: renewal)
        }
    }

    /// Waits for an operation, but only as long as the user of the call is logged in.
    /// - Parameter error: Why the call waits.
    package func wait(_ attempt: Attempt, after error: APIError? = nil, _ work: () async -> Void) async {
        let call = attempt.call
        defer { noteWait(nil) }
        guard call.overrides.usesSession, let session = attempt.plan.configured.session else {
            return await work()
        }
        let refusal = proxy.error(.loginRequired, of: call, underlying: error)
        let isThere = session.watch(call.epoch, as: .call(call.requestID)) { [self] in report(refusal) }
        defer { session.unwatch(.call(call.requestID)) }
        if isThere { await work() } else { await report(refusal) }
    }

    /// Waits for a time in seconds. The call has no slot.
    package func wait(_ seconds: TimeInterval, _ attempt: Attempt, after error: APIError? = nil) async {
        guard seconds > 0 else { return }
        noteWait(.delay(seconds))
        // Returns early only if the call has ended.
        await wait(attempt, after: error) { try? await proxy.clock.sleep(for: seconds) }
    }

    // MARK: Exchange

    /// Begins another attempt after a failure that the step itself resolves, without a slot.
    package func advance(_ attempt: inout Attempt, after error: APIError) {
        releaseSlot()
        attempt.advance(after: error)
        latest = attempt.call
    }

    /// See ``CacheMachinery/lastConfirmation(at:)``.
    func confirmation(_ attempt: Attempt) -> Int {
        proxy.known(CacheTiers.self)?.machinery.lastConfirmation(at: attempt[ResponsePlace.self]) ?? 0
    }

    /// Returns the error of an attempt that failed.
    package func interruption(_ failure: CallFailure, _ attempt: Attempt) -> Interruption {
        .failed(
            proxy.error(
                failure.kind, of: attempt.call.requested(failure.redirected), response: failure.response))
    }

    /// Releases the slot of an attempt before the app changes its response, because that may make calls of the same service.
    ///
    /// The attempt may have timed out and still run: the next one keeps its own slot. After a 401, the call keeps the slot
    /// until the renewal has begun: no other call is sent with these tokens.
    func releaseSlot(of attempt: Attempt, changing received: APIResponse) {
        guard let slot = attempt[SentSlot.self]?.id else { return }
        if attempt.session != nil, received.status == 401 { return }
        releaseSlot(slot)
    }

    /// Runs steps with a timeout in seconds, and leaves them behind when it is over: they may ignore a cancellation.
    package func within<Value: Sendable>(
        _ seconds: TimeInterval, _ attempt: Attempt,
        _ work: @escaping @Sendable () async throws(Interruption) -> Value
    ) async throws(Interruption) -> Value {
        guard seconds.isFinite else { return try await work() }
        do {
            return try await proxy.within(seconds) { try await work() }
        } catch let interruption as Interruption {
            throw interruption
        } catch is TimeoutExceeded {
            throw .failed(proxy.error(.timedOut, of: attempt.call))
        } catch {
            throw .over
        }
    }
}
