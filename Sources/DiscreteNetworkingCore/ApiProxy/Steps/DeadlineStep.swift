import Foundation

/// Ends a call that is not over at its ``BaseAPIManager/deadline``, no matter what it waits for. In the list only if there is one.
///
/// The call ends as if it had been canceled: its slot is free, its request is canceled unless others share it, a refresh that
/// it waits for goes on, and circuit breakers and hosts learn nothing. A stale response or a plugin may take its place.
struct DeadlineStep: CallStep {
    static let place = StepPlace.deadline
    let pending: PendingCall

    /// How long a stale response may be read, and plugins asked, after the deadline, in seconds.
    private static let grace: TimeInterval = 1

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let watch = try watch(&attempt)
        defer { watch?.cancel() }
        return try await rest(&attempt)
    }

    private func watch(_ attempt: inout Attempt) throws(Interruption) -> Task<Void, Never>? {
        // A call to another origin has no service.
        attempt.begin(pending.proxy.redaction)
        guard let deadline = pending.deadline(attempt) else { return nil }
        guard deadline.isValid else {
            let reason =
                "\(deadline.owner) is \(deadline.seconds) s; it must be greater than 0, or .infinity for no limit."
            throw .refused(pending.proxy.error(.invalidRequest(reason: reason), of: attempt.call))
        }
        guard deadline.end.isFinite else { return nil }
        return Task { @concurrent [self, attempt, clock = pending.proxy.clock] in
            guard (try? await clock.sleep(for: deadline.end - clock.uptime)) != nil, !Task.isCancelled else {
                return
            }
            end(attempt, deadline)
        }
    }

    /// Ends the call, or uses the response that may take its place.
    private func end(_ attempt: Attempt, _ deadline: CallDeadline) {
        let failure = pending.deadlineError(deadline)
        guard let substitutes = CallSteps(inPlaceOf: failure, attempt, pending) else {
            return pending.finish(.failed(failure, isSwallowed: false))
        }
        pending.stop()
        let grace = Task { @concurrent in
            guard (try? await pending.proxy.clock.sleep(for: Self.grace)) != nil else { return }
            pending.finish(.failed(failure, isSwallowed: false))
        }
        // A task of its own: the end of the steps cancels this one.
        Task { @concurrent in
            defer { grace.cancel() }
            var attempt = attempt
            attempt.begin(pending.proxy.redaction)
            defer { attempt.scope?.end() }
            do throws(Interruption) {
                pending.finish(.succeeded(try await substitutes(&attempt)))
            } catch {
                pending.finish(.failed(error.error ?? failure, isSwallowed: false))
            }
        }
    }
}

/// Stands for the attempts that were given up.
private struct GivenUpStep: CallStep {
    static let place = StepPlace.attempts
    let failure: APIError

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        throw .failed(failure)
    }
}

extension CallSteps {
    /// The response that may take the place of a call that was given up; `nil` if nothing may.
    fileprivate init?(inPlaceOf failure: APIError, _ attempt: Attempt, _ pending: PendingCall) {
        let cache = attempt.plan.isCacheable ? attempt.call.overrides.cache.maker : nil
        let stale = cache?.substitute(for: failure, of: attempt, pending)
        guard stale != nil || !pending.plugins.isEmpty else { return nil }
        self.init(room: 3)
        if !pending.plugins.isEmpty { add(RecoverStep(pending: pending)) }
        if let stale { add(stale) }
        add(GivenUpStep(failure: failure))
    }
}

extension PendingCall {
    /// Returns the deadline of the call; `nil` if it has none.
    func deadline(_ attempt: Attempt) -> CallDeadline? {
        CallDeadline(of: attempt.call, attempt.plan, startedAt: startTime, by: proxy)
    }

    fileprivate func deadlineError(_ deadline: CallDeadline) -> APIError {
        let (call, wait) = (latest, waitedFor ?? .response)
        let limit = RequestLocation.text(ofSeconds: deadline.seconds)
        return proxy.error(
            .deadlineExceeded(waitingFor: wait), of: call,
            hint:
                "The call did not end within \(limit), which is \(deadline.owner). It waited for \(wait.text)."
        )
    }
}
