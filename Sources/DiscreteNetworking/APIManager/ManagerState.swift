import Foundation
import Observation

/// What a manager knows of its calls: the latest result, and those in flight.
///
/// Observable where the system can: SwiftUI re-renders when `isLoading`, `response`, `output` or `error`
/// change. The registrar is driven by hand, because `@Observable` needs iOS 17 at compile time.
///
/// The part that a manager's `deinit` needs is Sendable, because a `deinit` runs on any thread.
final class ManagerState: Sendable {
    struct Value: Sendable {
        var response: APIResponse?
        var output: (any Sendable)?
        var error: APIError?
    }

    private struct Storage: Sendable {
        var value = Value()
        var inFlight: [RequestID: PendingCall] = [:]
    }

    private let storage = Locked(Storage())
    private let changes = Changes()

    var value: Value {
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

    func clean() { change { $0.value = Value() } }

    func cancel(_ requestID: RequestID) {
        guard let pending = storage.withLock({ $0.inFlight[requestID] }) else { return }
        changes.withMutation { pending.cancel() }
    }

    func cancelAll() { endAll { $0.cancel() } }

    /// Cancels what is in flight because the manager goes away.
    func release() { endAll { $0.cancelForRelease() } }

    private func endAll(_ end: (PendingCall) -> Void) {
        let calls = storage.withLock { Array($0.inFlight.values) }
        guard !calls.isEmpty else { return }
        changes.withMutation { for pending in calls { end(pending) } }
    }

    /// The calls that are not over.
    var running: [PendingCall] { storage.current.inFlight.values.filter { !$0.hasEnded } }

    /// Forgets a stream, so that it ends when its reader drops it.
    func letGo(of response: APIResponse) {
        guard response.output is ByteStream else { return }
        change { storage in
            guard storage.value.response?.requestID == response.requestID else { return }
            storage.value.response?.output = nil
            storage.value.output = nil
        }
    }

    private func change(_ body: (inout Storage) -> Void) {
        // What is replaced is released after the lock: an output's `deinit` may ask its manager.
        _ = changes.withMutation {
            storage.withLock { storage in
                let before = storage.value
                body(&storage)
                return before
            }
        }
    }
}

/// An `ObservationRegistrar` where there is one.
private struct Changes: Sendable {
    private let registrar: (any Sendable)?

    init() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
            registrar = ObservationRegistrar()
        } else {
            registrar = nil
        }
    }

    func access() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *),
            let registrar = registrar as? ObservationRegistrar
        {
            registrar.access(Subject.shared, keyPath: \.state)
        }
    }

    func withMutation<Result>(_ body: () -> Result) -> Result {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *),
            let registrar = registrar as? ObservationRegistrar
        {
            return registrar.withMutation(of: Subject.shared, keyPath: \.state, body)
        }
        return body()
    }

    /// What the registrar's key path starts from: a registrar tells its properties apart by key path only,
    /// and all of a manager's state is one property here.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    private final class Subject: Observable, Sendable {
        static let shared = Subject()
        var state: Void { () }
    }
}
