import Foundation

#if canImport(Combine)
    // `@preconcurrency`: publishers and subjects are thread-safe, but not declared `Sendable`.
    @preconcurrency import Combine

    /// The Combine subjects of a manager's state.
    final class ManagerSubjects: Sendable {
        let willChange = ObservableObjectPublisher()
        let didChange = PassthroughSubject<Void, Never>()
    }
#endif

/// The state of a manager: the latest result and the calls in flight. Copies share it.
///
/// Observable with `Observation` and Combine where available: SwiftUI updates when `isLoading`, `response`,
/// `output` or `error` change. Uses an `ObservationRegistrar` directly, because `@Observable` requires a
/// deployment target of iOS 17.
///
/// `Sendable`, because a manager's `deinit` may run on any thread.
struct ManagerState: Sendable {
    struct Snapshot: Sendable {
        var response: APIResponse?
        var output: (any Sendable)?
        var error: APIError?
        var failure: FailedCall?
    }

    /// A call that failed, until one succeeds. Canceled and swallowed calls are not recorded.
    struct FailedCall: Sendable {
        let call: APICall
        let error: APIError
        /// Which of all managers' failures it was.
        let order: UInt64
    }

    fileprivate struct Storage: Sendable {
        var value = Snapshot()
        var inFlight: [RequestID: PendingCall] = [:]
        var changes: ObservedChanges?
        var owner: Owner?
        /// Whether the delegate still exists; `nil` if none was set, and in release builds.
        var hasDelegate: (@MainActor @Sendable () -> Bool)?
    }

    /// The session that the state belongs to, and its user's epoch.
    typealias Owner = (session: TokenSession, epoch: UserEpoch)

    fileprivate let storage = Locked(Storage())
    var id: ObjectIdentifier { storage.id }
    #if canImport(Combine)
        let subjects = ManagerSubjects()
    #endif

    var value: Snapshot {
        read()
        return storage.withLock { $0.value }
    }

    var isLoading: Bool {
        read()
        return storage.withLock { $0.inFlight }.values.contains { !$0.hasEnded }
    }

    var owner: Owner? {
        get { storage.withLock { $0.owner } }
        nonmutating set {
            // The old one is released outside the lock.
            var owner = newValue
            storage.withLock { swap(&$0.owner, &owner) }
        }
    }

    /// Registers a read with the registrar, which is created by the first one: before that, nothing is observed.
    private func read() {
        let changes = storage.withLock { storage in
            let changes = storage.changes ?? ObservedChanges()
            storage.changes = changes
            return changes
        }
        changes.access()
    }

    func add(_ pending: PendingCall) {
        change { $0.inFlight[pending.call.requestID] = pending }
    }

    func finish(_ pending: PendingCall, _ response: APIResponse) {
        change { storage in
            storage.inFlight[pending.call.requestID] = nil
            storage.value = Snapshot(response: response, output: response.output)
        }
    }

    func finish(_ pending: PendingCall, _ error: APIError, isSwallowed: Bool) {
        change { storage in
            storage.inFlight[pending.call.requestID] = nil
            storage.value.error = error
            if let response = error.response { storage.value.response = response }
            guard !isSwallowed, error.mayBeTriedAgain else { return }
            storage.value.failure = FailedCall(call: pending.call, error: error, order: Self.nextFailure())
        }
    }

    private static let failures = Locked<UInt64>(0)

    private static func nextFailure() -> UInt64 {
        failures.withLock { order in
            order += 1
            return order
        }
    }

    /// Shows an output without a call; `nil` for none.
    func show(_ output: (any Sendable)?) { change { $0.value.output = output } }

    func clean() { change { $0.value = Snapshot() } }

    func cancel(_ requestID: RequestID) {
        guard let pending = storage.withLock({ $0.inFlight[requestID] }) else { return }
        notifying { pending.cancel() }
    }

    func cancelAll() {
        let calls = storage.withLock { Array($0.inFlight.values) }
        guard !calls.isEmpty else { return }
        notifying { for pending in calls { pending.cancel() } }
    }

    /// Cancels all calls because the manager is being released, on any thread. Sends no change
    /// notifications, because Combine subscribers expect the main actor.
    func release() {
        unwatch()
        logRelease()
        for pending in storage.withLock({ Array($0.inFlight.values) }) { pending.cancelForRelease() }
    }

    /// The calls that have not ended.
    var running: [PendingCall] { storage.withLock { $0.inFlight }.values.filter { !$0.hasEnded } }

    /// Releases a stream, so that it ends when its reader releases it.
    func releaseStream(of response: APIResponse) {
        change { storage in
            guard storage.value.response?.requestID == response.requestID else { return }
            storage.value.response?.output = nil
            storage.value.output = nil
        }
    }

    private func change(_ body: (inout Storage) -> Void) {
        // The previous value is released outside the lock: an output's `deinit` may access its manager.
        _ = notifying {
            storage.withLock { storage in
                let before = storage.value
                body(&storage)
                return before
            }
        }
    }

    /// Performs a change and notifies observers.
    private func notifying<Result>(_ change: () -> Result) -> Result {
        #if canImport(Combine)
            subjects.willChange.send()
            defer { subjects.didChange.send() }
        #endif
        guard let changes = storage.withLock({ $0.changes }) else { return change() }
        return changes.withMutation(change)
    }
}

extension CallOutcome {
    /// Whether it is a failure that may be tried again.
    var isNoted: Bool {
        guard case .failed(let error, isSwallowed: false) = self else { return false }
        return error.mayBeTriedAgain
    }
}

extension APIError {
    /// Whether the call may be made again: canceled and vetoed calls are not noted for it.
    fileprivate var mayBeTriedAgain: Bool { kind != .cancelled && kind != .vetoed }
}

// MARK: A release that its delegate does not hear of

extension ManagerState {
    /// Receives the line about a manager that was released before its delegate.
    static let releaseLog = Locked<@Sendable (String) -> Void>(SystemLog.write)

    /// Remembers, in a debug build, whether there is a delegate.
    @MainActor
    func note(_ delegate: (any APIManagerDelegate)?) {
        #if DEBUG
            storage.withLock { $0.hasDelegate = { [weak delegate] in delegate != nil } }
        #endif
    }

    /// Logs that calls end without their delegate being called. Usually a delegate is released with its manager.
    fileprivate func logRelease() {
        guard let hasDelegate = storage.withLock({ $0.hasDelegate }), let call = running.first?.call else {
            return
        }
        let numbers = running.map(\.call.requestID).sorted().map(\.description).joined(separator: ", ")
        let line =
            "DiscreteNetworking: \(call.managerType) was released before its calls ended (\(call.serviceIdentifier)/\(call.methodName) \(numbers)); they are canceled, and its delegate is not called. Store the manager in a property."
        Task { @MainActor in
            if hasDelegate() { Self.releaseLog.current(line) }
        }
    }
}
