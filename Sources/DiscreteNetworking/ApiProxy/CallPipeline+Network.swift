import Foundation

/// Step 7: the network that a call may use.
extension CallPipeline {
    /// Whether the host of the request is reachable over a network that the call may use, as far as is known.
    @inline(never)
    func isReachable(_ request: APIRequest, _ context: CallContext) -> Bool {
        guard follower(context).transport.needsNetwork(for: request.url), let host = request.url.host else {
            return true
        }
        return proxy.reachability.isReachable(host: host, over: context.call.overrides.network)
    }

    /// Waits until the host of the request is reachable or the call has ended, for as long as the call may wait.
    /// - Returns: `false` if that time is over.
    @inline(never)
    func waitUntilReachable(_ request: APIRequest, _ context: inout CallContext) async -> Bool {
        let (call, policy) = (context.call, context.call.overrides.network)
        let now = proxy.clock.uptime
        let deadline = context.networkDeadline ?? now + policy.wait
        context.networkDeadline = deadline
        guard deadline > now, let host = request.url.host else { return false }
        pending.events.emit(.waiting(for: .network), of: call)
        pending.releaseSlot()
        var isInTime = true
        let (reachability, clock) = (proxy.reachability, proxy.clock)
        await wait(context) {
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
        return isInTime || pending.hasEnded
    }

    /// Returns the error for a missing network, which says what to do about it.
    @inline(never)
    func notReachable(_ request: APIRequest, _ call: APICall) -> APIError {
        let policy = call.overrides.network
        let isRefused = request.url.host.map { proxy.reachability.isReachable(host: $0) } ?? false
        let reason =
            isRefused
            ? "The current network is not one that \(call.managerType).network allows"
            : "There is no network connection"
        let advice =
            policy.wait > 0
            ? ", and none came within \(policy.wait.formatted()) s; nothing was sent. Repeat the call when there is one."
            : "; nothing was sent. To wait for one, return NetworkPolicy.waiting(_:) from \(call.managerType).network."
        return proxy.error(.notReachable, of: call, hint: reason + advice)
    }
}
