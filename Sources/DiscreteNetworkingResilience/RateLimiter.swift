import DiscreteNetworkingCore
import Foundation

/// The recently sent calls and the waiting calls of a service or an endpoint, and the limits that the server has
/// reported.
///
/// No waiter is resumed under the lock.
final class RateLimiter: Sendable {
    /// Permission to send a call, from a time on.
    struct Permit: Sendable {
        /// The number of the call among the calls that got a permit.
        let number: Int
        /// When it was given, in seconds.
        let time: TimeInterval
        /// The place of the call among the waiting calls, if it has to wait again.
        let turn: Int
    }

    /// The permits of a call that was not sent with them yet, one for each limit; see ``RateLimitStep``.
    struct Permits: AttemptState {
        static let lifetime = SlotLifetime.environment
        var values: [EndpointPlace: (limiter: RateLimiter, permit: Permit)] = [:]

        /// Gives up permits that nothing was sent with.
        func end() {
            for (limiter, permit) in values.values { limiter.giveBack(permit) }
        }
    }

    enum Entry {
        case permit(Permit)
        /// - seconds: How long it takes until a call can be sent, as far as is known.
        case waiting(Waiter, seconds: TimeInterval)
    }

    /// A call that waits.
    final class Waiter: QueueWaiter {
        fileprivate let turn: Int
        fileprivate let priority: CallPriority
        let promise = Promise<Permit?>()
        private let limiter: RateLimiter

        fileprivate init(_ turn: Int, _ priority: CallPriority, in limiter: RateLimiter) {
            (self.turn, self.priority, self.limiter) = (turn, priority, limiter)
        }

        func leave() { limiter.remove(self) }
    }

    /// What the server has said: so many calls until a time.
    fileprivate struct Quota {
        var remaining: Int
        /// When the next call is sent at the latest.
        var reset: TimeInterval
        /// When what the server has said is over. A call that is sent before is a trial.
        let end: TimeInterval
        /// The number of calls that were sent before the server said so.
        let number: Int

        var isCut: Bool { reset < end }
        /// Whether a call was sent as a trial.
        var isTried = false
    }

    fileprivate struct State: SelfChecking {
        var limit = RateLimit()
        /// When calls were sent within the last period, in ascending order. Empty without a limit.
        var sent: [TimeInterval] = []
        var quota: Quota?
        var waiters: [Waiter] = []
        /// The number of calls that were sent in a row before the one that waits longest.
        var overtakings = 0
        var lastNumber = 0
        var lastTurn = 0
        /// Sleeps until a call can be sent; `nil` if none waits.
        var alarm: Task<Void, Never>?

        func checkInvariants() {
            assert(waiters.isEmpty || alarm != nil, "nobody wakes the waiting calls")
        }
    }

    /// The longest time that a server can hold calls back, in seconds.
    static let longestQuota: TimeInterval = 60

    private let state = Locked(State())
    private let clock: any APIClock

    init(clock: any APIClock) { self.clock = clock }

    /// The number of calls that wait.
    var count: Int { state.withLock { $0.waiters.count } }

    /// Whether nothing has been sent within the last period, and nothing is known that holds calls back.
    var isIdle: Bool {
        let now = clock.uptime
        return state.withLock { state in
            _ = state.opening(now)
            return state.waiters.isEmpty && state.sent.isEmpty && state.quota == nil
        }
    }

    /// Gives a call a permit, or a waiter if there is none.
    /// - Parameter old: The permit of the call, if it was not sent with it: the call had to wait for something else.
    func enter(_ limit: RateLimit, priority: CallPriority, renewing old: Permit?) -> Entry {
        let now = clock.uptime
        return state.withLock { state in
            if state.limit != limit { state.limit = limit }
            if let old { state.giveBack(old) }
            if state.waiters.isEmpty || old != nil, state.opening(now) <= now {
                return .permit(state.send(now, turn: old?.turn))
            }
            if old == nil { state.lastTurn += 1 }
            let waiter = Waiter(old?.turn ?? state.lastTurn, priority, in: self)
            state.waiters.append(waiter)
            if state.alarm == nil { state.alarm = alarm() }
            return .waiting(waiter, seconds: max(0, state.opening(now) - now))
        }
    }

    /// Gives up a permit without sending a call.
    func giveBack(_ permit: Permit) {
        let late = state.withLock { state -> Task<Void, Never>? in
            state.giveBack(permit)
            guard !state.waiters.isEmpty else { return nil }
            // Another call may be sent earlier than the alarm rings.
            defer { state.alarm = alarm() }
            return state.alarm
        }
        late?.cancel()
    }

    /// Notes that the server has accepted a call and says nothing of limits. If the call was a trial, what it has said before is
    /// over.
    func noteAcceptance(for permit: Permit) {
        let late = state.withLock { state -> Task<Void, Never>? in
            guard let quota = state.quota, quota.isTried, permit.number > quota.number else { return nil }
            state.quota = nil
            guard !state.waiters.isEmpty else { return nil }
            // The calls that wait are sent earlier than the alarm rings.
            defer { state.alarm = alarm() }
            return state.alarm
        }
        late?.cancel()
    }

    /// Notes what a response says of the limits of its server.
    func note(_ fields: RateLimitFields, for permit: Permit) {
        let now = clock.uptime
        state.withLock { $0.note(fields, for: permit, now: now) }
    }

    private func remove(_ waiter: Waiter) {
        let alarm = state.withLock { state -> Task<Void, Never>? in
            state.waiters.removeAll { $0 === waiter }
            guard state.waiters.isEmpty else { return nil }
            defer { state.alarm = nil }
            return state.alarm
        }
        alarm?.cancel()
    }

    /// Wakes the waiting calls, one after the other, until none waits.
    private func alarm() -> Task<Void, Never> {
        Task.detached { [self] in
            while !Task.isCancelled, let time = release() {
                try? await clock.sleep(for: time - clock.uptime)
            }
        }
    }

    /// Gives the available permits to the waiting calls.
    /// - Returns: The time of the next permit; `nil` if no call waits any more.
    private func release() -> TimeInterval? {
        let now = clock.uptime
        let (next, time) = state.withLock { state -> ([(Waiter, Permit)], TimeInterval?) in
            // The alarm of others is running.
            guard !Task.isCancelled else { return ([], nil) }
            var next: [(Waiter, Permit)] = []
            while !state.waiters.isEmpty, state.opening(now) <= now {
                let waiter = state.takeNext()
                next.append((waiter, state.send(now, turn: waiter.turn)))
            }
            if state.waiters.isEmpty { state.alarm = nil }
            return (next, state.waiters.isEmpty ? nil : state.opening(now))
        }
        for (waiter, permit) in next where !waiter.promise.fulfil(permit) { giveBack(permit) }
        return time
    }
}

// MARK: State

extension RateLimiter.State {
    /// Returns when the next call may be sent.
    fileprivate mutating func opening(_ now: TimeInterval) -> TimeInterval {
        sent.removeFirst(sent.prefix { $0 + limit.period <= now }.count)
        if let old = quota, old.reset <= now {
            quota =
                now < old.end
                ? .init(
                    remaining: 1, reset: min(old.end, now + RateLimiter.longestQuota), end: old.end,
                    number: old.number, isTried: true) : nil
        }
        // After a limit was lowered there may be more.
        let own = sent.count < limit.calls ? now : sent[sent.count - limit.calls] + limit.period
        guard let quota, quota.remaining <= 0 else { return own }
        return max(own, quota.reset)
    }

    fileprivate mutating func send(_ now: TimeInterval, turn: Int?) -> RateLimiter.Permit {
        if limit.calls < .max { sent.append(now) }
        quota?.remaining -= 1
        lastNumber += 1
        if turn == nil { lastTurn += 1 }
        return .init(number: lastNumber, time: now, turn: turn ?? lastTurn)
    }

    fileprivate mutating func giveBack(_ permit: RateLimiter.Permit) {
        if let index = sent.lastIndex(of: permit.time) { sent.remove(at: index) }
        quota?.remaining += 1
    }

    fileprivate mutating func takeNext() -> RateLimiter.Waiter {
        let oldest = waiters.indices.min { waiters[$0].turn < waiters[$1].turn } ?? 0
        let first =
            waiters.indices.min {
                (waiters[$1].priority, waiters[$0].turn) < (waiters[$0].priority, waiters[$1].turn)
            } ?? 0
        let isOvertaking = first != oldest && overtakings < CallLine.overtakingLimit
        overtakings = isOvertaking ? overtakings + 1 : 0
        return waiters.remove(at: isOvertaking ? first : oldest)
    }

    fileprivate mutating func note(
        _ fields: RateLimitFields, for permit: RateLimiter.Permit, now: TimeInterval
    ) {
        // The server may not have counted the calls that were sent after this one.
        let remaining = max(0, fields.remaining - (lastNumber - permit.number))
        let reset = now + min(fields.reset, RateLimiter.longestQuota)
        // Responses may arrive in another order than they were sent in.
        if let quota, quota.reset > now, !quota.isCut, !quota.isTried, remaining > quota.remaining { return }
        // With calls left, the next ones say more.
        quota = .init(
            remaining: remaining, reset: reset, end: remaining == 0 ? now + fields.reset : reset,
            number: lastNumber)
    }
}

/// The limiters of a proxy, by service or endpoint and environment.
final class RateLimiterRegistry: ProxyState {
    private struct State {
        var limiters: [EndpointPlace: RateLimiter] = [:]
        /// The number of limiters at which idle ones are removed; an app may generate method names.
        var limit = 256
    }

    private let state = Locked(State())
    private let clock: any APIClock

    init(clock: any APIClock) { self.clock = clock }

    var count: Int { state.withLock { $0.limiters.count } }

    func limiter(of place: EndpointPlace) -> RateLimiter {
        let (limiter, others) = state.withLock { state -> (RateLimiter, [EndpointPlace: RateLimiter]) in
            if let known = state.limiters[place] { return (known, [:]) }
            let others = state.limiters.count < state.limit ? [:] : state.limiters
            let new = RateLimiter(clock: clock)
            state.limiters[place] = new
            return (new, others)
        }
        if !others.isEmpty { remove(others.filter(\.value.isIdle).keys) }
        return limiter
    }

    private func remove(_ places: some Sequence<EndpointPlace>) {
        state.withLock { state in
            for place in places { state.limiters[place] = nil }
            state.limit = max(256, 2 * state.limiters.count)
        }
    }
}

extension ApiProxy {
    var rateLimiters: RateLimiterRegistry { state { RateLimiterRegistry(clock: clock) } }
}
