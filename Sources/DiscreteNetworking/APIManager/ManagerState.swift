import Foundation
import Observation

#if canImport(Combine)
    // Combine's publishers and subjects may be used from any thread; their declarations do not say so.
    @preconcurrency import Combine

    /// What Combine is told of a manager's state.
    final class ManagerSubjects: Sendable {
        let willChange = ObservableObjectPublisher()
        let didChange = PassthroughSubject<Void, Never>()
    }
#endif

/// What a manager knows of its calls: the latest result, and those in flight.
///
/// Observable by `Observation` where the system has it, and by Combine where that is: SwiftUI re-renders when
/// `isLoading`, `response`, `output` or `error` change. The registrar is driven by hand, because `@Observable`
/// needs iOS 17 at compile time.
///
/// The part that a manager's `deinit` needs is Sendable, because a `deinit` runs on any thread.
final class ManagerState: Sendable {
    struct Snapshot: Sendable {
        var response: APIResponse?
        var output: (any Sendable)?
        var error: APIError?
    }

    private struct Storage: Sendable {
        var value = Snapshot()
        var inFlight: [RequestID: PendingCall] = [:]
    }

    private let storage = Locked(Storage())
    /// The session whose user the value is for, and when that user was there.
    let owner = Locked<(session: TokenSession, epoch: UserEpoch)?>(nil)
    private let changes = Changes()
    #if canImport(Combine)
        let subjects = ManagerSubjects()
    #endif

    var value: Snapshot {
        changes.access()
        return storage.current.value
    }

    var isLoading: Bool {
        changes.access()
        return storage.current.inFlight.values.contains { !$0.hasEnded }
    }

    func add(_ pending: PendingCall) {
        change { $0.inFlight[pending.call.requestID] = pending }
    }

    func finish(_ pending: PendingCall, _ outcome: CallOutcome) {
        change { storage in
            storage.inFlight[pending.call.requestID] = nil
            storage.value.response = outcome.response ?? storage.value.response
            storage.value.error = outcome.error
            if case .succeeded(let response) = outcome { storage.value.output = response.output }
        }
    }

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

    /// Cancels what is in flight because the manager goes away, on whatever thread that happens: nobody is told,
    /// because Combine's subscribers expect the main actor.
    func release() {
        unwatch()
        for pending in storage.withLock({ Array($0.inFlight.values) }) { pending.cancelForRelease() }
    }

    /// The calls that are not over.
    var running: [PendingCall] { storage.current.inFlight.values.filter { !$0.hasEnded } }

    /// Forgets a stream, so that it ends when its reader drops it.
    func releaseStream(of response: APIResponse) {
        guard response.output is ByteStream else { return }
        change { storage in
            guard storage.value.response?.requestID == response.requestID else { return }
            storage.value.response?.output = nil
            storage.value.output = nil
        }
    }

    private func change(_ body: (inout Storage) -> Void) {
        // What is replaced is released after the lock: an output's `deinit` may ask its manager.
        _ = notifying {
            storage.withLock { storage in
                let before = storage.value
                body(&storage)
                return before
            }
        }
    }

    /// Changes the state, and tells who observes it.
    private func notifying<Result>(_ change: () -> Result) -> Result {
        #if canImport(Combine)
            subjects.willChange.send()
            defer { subjects.didChange.send() }
        #endif
        return changes.withMutation(change)
    }
}

/// An `ObservationRegistrar` where there is one.
private struct Changes: Sendable {
    private let registrar: (any Sendable)?

    init() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            registrar = ObservationRegistrar()
        } else {
            registrar = nil
        }
    }

    func access() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *),
            let registrar = registrar as? ObservationRegistrar
        {
            registrar.access(Subject.shared, keyPath: \.state)
        }
    }

    func withMutation<Result>(_ body: () -> Result) -> Result {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *),
            let registrar = registrar as? ObservationRegistrar
        {
            return registrar.withMutation(of: Subject.shared, keyPath: \.state, body)
        }
        return body()
    }

    /// What the registrar's key path starts from: a registrar tells its properties apart by key path only,
    /// and all of a manager's state is one property here.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private final class Subject: Observable, Sendable {
        static let shared = Subject()
        var state: Void { () }
    }
}
