import Foundation

/// Sends a call only over a network that it may use, and waits for one as long as its ``NetworkPolicy`` says.
struct ReachabilityStep: CallStep {
    static let place = StepPlace.network
    static var uses: [any AttemptState.Type] { [NetworkDeadline.self] }
    let pending: PendingCall

    private var proxy: ApiProxy { pending.proxy }

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let host = missingHost(attempt) else { return try await rest(&attempt) }
        throw await interruption(by: host, &attempt)
    }

    /// Waits for the host.
    ///
    /// Not inlined: a call would allocate one more time.
    @inline(never)
    private func interruption(by host: String, _ attempt: inout Attempt) async -> Interruption {
        await comes(host, &attempt) ? .outdated : .failed(notReachable(host, attempt.call))
    }

    /// The host of the request if it is known to be out of reach over a network that the call may use.
    private func missingHost(_ attempt: Attempt) -> String? {
        guard let url = attempt.request?.value.url, let host = url.host,
            attempt.follower.transport.needsNetwork(for: url),
            !proxy.reachability.isReachable(host: host, over: attempt.call.overrides.network)
        else { return nil }
        return host
    }

    /// Waits until the host is reachable or the call has ended, for as long as the call may wait.
    /// - Returns: `false` if that time is over.
    private func comes(_ host: String, _ attempt: inout Attempt) async -> Bool {
        let policy = attempt.call.overrides.network
        let now = proxy.clock.uptime
        let deadline = attempt[NetworkDeadline.self]?.uptime ?? now + policy.wait
        attempt[NetworkDeadline.self] = NetworkDeadline(uptime: deadline)
        guard deadline > now else { return false }
        pending.noteWait(.network)
        pending.emit(.waiting(for: .network), of: attempt.call)
        pending.releaseSlot()
        var isInTime = true
        let (reachability, clock) = (proxy.reachability, proxy.clock)
        await pending.wait(attempt) {
            isInTime = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await reachability.waitUntilReachable(host: host, over: policy)
                    return true
                }
                if deadline.isFinite {
                    group.addTask {
                        try? await clock.sleep(for: deadline - now)
                        return false
                    }
                }
                defer { group.cancelAll() }
                return await group.next() ?? true
            }
        }
        return isInTime || Task.isCancelled
    }

    /// Returns the error for a missing network, which says what to do about it.
    private func notReachable(_ host: String, _ call: APICall) -> APIError {
        let policy = call.overrides.network
        let isForbidden = proxy.reachability.isReachable(host: host)
        let reason =
            isForbidden
            ? "\(call.managerType).networkPolicy does not allow the current network"
            : "There is no network connection"
        let network = isForbidden ? "a network that it allows" : "a network connection"
        let advice =
            policy.wait > 0
            ? "; the call waited \(policy.wait.formatted()) s, and nothing was sent. Retry when there is \(network)."
            : "; nothing was sent. To wait for \(network), return NetworkPolicy.waiting(_:) from \(call.managerType).networkPolicy."
        return proxy.error(.notReachable, of: call, hint: reason + advice)
    }
}

/// When a call no longer waits for a network, by the clock of its proxy.
private struct NetworkDeadline: AttemptState {
    static let lifetime = SlotLifetime.call
    let uptime: TimeInterval
}
