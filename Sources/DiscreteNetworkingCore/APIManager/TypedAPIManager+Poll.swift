public import Foundation

extension TypedAPIManager {
    /// Polls an endpoint until an output is the last one, and returns all outputs.
    ///
    /// ```swift
    /// let orders = orderManager.poll(
    ///     with: ["id": 7], every: 2, until: { $0.isPaid })
    /// for try await order in orders { show(order) }
    /// ```
    ///
    /// The first call is made at once. The next call is made when the interval since the end of the last call is over
    /// and the reader asks for an output. If a response has a `Retry-After` field (RFC 9110 section 10.2.3), the next
    /// call is not made before the time in it. While the app is in the background (iOS, tvOS, visionOS), no call is
    /// made. All times are by the clock of the proxy. Cached responses are not used.
    ///
    /// The sequence ends after the output for which `isDone` returns `true`, at once when its task is canceled, and
    /// when the manager is released. It does not retain the manager. It throws the ``APIError`` of a call, unless the
    /// next call may succeed: after an error that the ``RetryPolicy`` of the endpoint would retry, regardless of its
    /// number of attempts, and after ``APIError/Kind/degraded(until:)``. These errors double the interval; the fifth in
    /// a row is thrown. All calls are made for the user who is logged in when the sequence is created: after a logout,
    /// ``APIError/Kind/loginRequired`` is thrown.
    /// - Parameters:
    ///   - params: The arguments of each call; `nil` to call the param source each time.
    ///   - interval: The seconds between two calls.
    ///   - backOff: The factor of the interval after each call. Default: 1.
    ///   - longest: The maximum interval in seconds. A `Retry-After` may extend it, to a day at most. Default: 60, or
    ///     the interval if it is longer.
    ///   - limit: The seconds since the first call after which ``APIError/Kind/timedOut`` is thrown. If a call is in
    ///     flight then, the poll waits for its end.
    ///   - isDone: Returns whether an output is the last one.
    public func poll(
        with params: Params? = nil, every interval: TimeInterval, backOff: Double = 1,
        upTo longest: TimeInterval = 60, within limit: TimeInterval = .infinity,
        until isDone: @escaping @MainActor @Sendable (Output) -> Bool
    ) -> AsyncThrowingStream<Output, any Error> {
        let rhythm = PollRhythm(
            interval: interval, backOff: backOff, longest: max(longest, interval), limit: limit)
        return poll(with: params, rhythm, until: isDone, visibility: .shared)
    }

    func poll(
        with params: Params?, _ rhythm: PollRhythm,
        until isDone: @escaping @MainActor @Sendable (Output) -> Bool, visibility: AppVisibility
    ) -> AsyncThrowingStream<Output, any Error> {
        let source = PollSource(self, params, rhythm, until: isDone, visibility)
        return AsyncThrowingStream { try await source.next() }
    }
}

/// When the calls of a poll are made. All times are in seconds.
struct PollRhythm: Sendable {
    let interval: TimeInterval
    let backOff: Double
    let longest: TimeInterval
    let limit: TimeInterval

    /// The number of failures in a row that end a poll.
    static let failureLimit = 5

    /// Returns the delay before the next call.
    /// - Parameters:
    ///   - calls: The number of calls so far.
    ///   - failures: How many of the last ones failed.
    ///   - asked: The delay that the server asks for.
    func delay(after calls: Int, failures: Int, asked: TimeInterval?) -> TimeInterval {
        let factor = pow(max(backOff, 1), Double(calls - 1)) * pow(2, Double(failures))
        return max(min(max(interval, 0) * factor, longest), min(asked ?? 0, RetryPolicy.longestRetryAfter))
    }
}

/// Makes the calls of a poll when it is asked for the next output.
@MainActor
private final class PollSource<Output: Decodable & Sendable> {
    private weak var manager: TypedAPIManager<Output>?
    private let params: Params?
    private let rhythm: PollRhythm
    private let isDone: @MainActor @Sendable (Output) -> Bool
    private let visibility: AppVisibility
    private let proxy: ApiProxy
    private let work = UserWork()
    /// When the poll is over, by the clock's uptime. The limit begins with the first call.
    private var end = TimeInterval.infinity
    /// When the next call is due, by the clock's uptime.
    private var due: TimeInterval
    private var isOver = false
    private var (calls, failures) = (0, 0)

    init(
        _ manager: TypedAPIManager<Output>, _ params: Params?, _ rhythm: PollRhythm,
        until isDone: @escaping @MainActor @Sendable (Output) -> Bool, _ visibility: AppVisibility
    ) {
        (self.manager, self.params, self.rhythm) = (manager, params, rhythm)
        (self.isDone, self.visibility, proxy) = (isDone, visibility, manager.proxy)
        due = manager.proxy.clock.uptime
    }

    /// Returns the next output; `nil` after the last one.
    func next() async throws(APIError) -> Output? {
        while !isOver {
            guard await pause() else { break }
            guard let (pending, listener, waiter) = begin() else { break }
            let result = await withTaskCancellationHandler {
                await waiter.result
            } onCancel: {
                if let listener { pending.cancel(listener) }
            }
            guard !Task.isCancelled, manager != nil else { break }
            if let output = try output(result, of: pending) { return output }
        }
        isOver = true
        work.end()
        return nil
    }

    /// Waits until the next call is due.
    /// - Returns: `false` if the task is canceled.
    private func pause() async -> Bool {
        let clock = proxy.clock
        try? await clock.sleep(for: min(due, end) - clock.uptime)
        await visibility.waitForForeground()
        return !Task.isCancelled
    }

    /// Starts the next call, and no longer retains the manager.
    private func begin() -> (PendingCall, PendingCall.Listener?, LoadWaiter)? {
        guard let manager else { return nil }
        let waiter = LoadWaiter()
        let now = proxy.clock.uptime
        if calls == 0 { end = now + rhythm.limit }
        let isLate = calls > 0 && now >= end
        isOver = isLate
        calls += 1
        let (pending, listener) = CallContext.$current.withValue(.with { [work] in $0.work = work }) {
            manager.start(
                with: params, ignoringCache: true, refusing: isLate ? .timedOut : nil,
                completion: .waiter(waiter))
        }
        return (pending, listener, waiter)
    }

    /// - Returns: The output; `nil` for a failure that is tolerated.
    private func output(
        _ result: Result<any Sendable, APIError>, of pending: PendingCall
    ) throws(APIError) -> Output? {
        let response: APIResponse?
        let output: Output?
        do throws(APIError) {
            let success = try TypedAPIManager<Output>.typed(result).get()
            failures = 0
            isOver = isDone(success)
            output = success
            response = manager?.response.flatMap { $0.requestID == pending.call.requestID ? $0 : nil }
        } catch {
            failures += 1
            guard !isOver, tolerates(error, of: pending.call) else {
                var last = error
                if isOver, error.kind == .timedOut {
                    last.hint =
                        "The poll was not done within \(RequestLocation.text(ofSeconds: rhythm.limit)), its limit; no call timed out."
                }
                isOver = true
                work.end()
                throw last
            }
            output = nil
            response = error.response
        }
        let clock = proxy.clock
        let asked = RetryAfter.seconds(in: response?.headers, now: clock.now)
        due = clock.uptime + rhythm.delay(after: calls, failures: failures, asked: asked)
        return output
    }

    private func tolerates(_ error: APIError, of call: APICall) -> Bool {
        guard failures < PollRhythm.failureLimit else { return false }
        if case .degraded = error.kind { return true }
        guard let attempt = try? proxy.attempt(of: call) else { return false }
        return attempt.plan.retry(of: call).isRetryable(error.kind)
    }
}
