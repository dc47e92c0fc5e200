public import DiscreteNetworkingCore
public import Foundation

/// Records the calls to a manager's delegate, interceptor and validator, in order.
///
/// ```swift
/// let recorder = ManagerRecorder(manager)
/// await assertSucceeds(manager, with: ["id": 7])
/// recorder.assertEvents([
///     .shouldCall, .didCall, .didReceive, .beforeSuccess, .succeeded,
///     .afterSuccess,
/// ])
/// ```
///
/// Calls are forwarded to the objects that had these roles before, and their results are used. Create the
/// recorder after they were assigned, and retain it: a manager does not retain its delegate.
@MainActor
public final class ManagerRecorder {
    /// The roles to record.
    public struct Roles: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The delegate.
        public static let delegate = Roles(rawValue: 1)
        /// The interceptor.
        public static let interceptor = Roles(rawValue: 2)
        /// The validator.
        public static let validator = Roles(rawValue: 4)
        /// All three roles.
        public static let all: Roles = [.delegate, .interceptor, .validator]
    }

    /// The recorded events.
    public var events: [ManagerEvent] { log.current }

    private let log = Watched<[ManagerEvent]>([])
    private weak var delegate: (any APIManagerDelegate)?
    private weak var interceptor: (any APIManagerInterceptor)?
    private weak var validator: (any APIManagerValidator)?
    private var sessionTask: Task<Void, Never>?

    /// Creates a recorder.
    /// - Parameters:
    ///   - manager: The manager to record.
    ///   - roles: The roles to record. Default: delegate and interceptor.
    ///   - session: A session. Its events are recorded too. Default: none.
    public init(
        _ manager: BaseAPIManager, _ roles: Roles = [.delegate, .interceptor], session: TokenSession? = nil
    ) {
        delegate = manager.delegate
        interceptor = manager.interceptor
        validator = manager.validator
        if roles.contains(.delegate) {
            // The delegate may also be the progress delegate.
            let progressDelegate = manager.progressDelegate
            manager.delegate = self
            manager.progressDelegate = progressDelegate
        }
        if roles.contains(.interceptor) { manager.interceptor = self }
        if roles.contains(.validator) { manager.validator = self }
        if let session { watch(session) }
    }

    deinit { sessionTask?.cancel() }

    /// Removes the recorded events.
    public func clear() { log.withLock { $0 = [] } }

    /// Waits until a number of events were recorded since the start or ``clear()``. Returns early if the
    /// task is canceled.
    /// - Parameters:
    ///   - count: The number of events.
    ///   - limit: The timeout in seconds, after which the test fails. Default: 30.
    public func waitForEvents(
        _ count: Int, within limit: TimeInterval = 30, fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) async {
        let line = TestLine(fileID: fileID, file: file, line: line)
        await log.wait(
            within: limit, at: line, until: { $0.count >= count },
            missing: { events in
                "\(count) events of the manager. There were \(events.count): \(events)"
            })
    }

    /// Fails unless exactly these events were recorded, in order.
    public func assertEvents(
        _ expected: [ManagerEvent], fileID: StaticString = #fileID, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        guard events != expected else { return }
        let lines = LineDifference.text(
            expected: expected.map(\.description), actual: events.map(\.description))
        report(
            "The manager's events are others (- expected, + actual):\n\(lines)",
            at: TestLine(fileID: fileID, file: file, line: line))
    }

    /// Fails unless the delegate received exactly one outcome.
    public func assertOneOutcome(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
    ) {
        let outcomes = events.filter { $0 == .succeeded || $0 == .failed }
        guard outcomes.count != 1 else { return }
        report(
            "The delegate should have received one outcome, but received \(ManagerEvent.list(outcomes)).",
            at: TestLine(fileID: fileID, file: file, line: line))
    }

    private func add(_ event: ManagerEvent) {
        log.withLock { $0.append(event) }
    }

    private func watch(_ session: TokenSession) {
        let events = session.events
        sessionTask = Task { [weak self] in
            for await event in events { self?.add(.session(event)) }
        }
    }
}

extension ManagerRecorder: APIManagerDelegate {
    public func managerDidSucceed(_ manager: BaseAPIManager) {
        add(.succeeded)
        delegate?.managerDidSucceed(manager)
    }

    public func managerDidFail(_ manager: BaseAPIManager) {
        add(.failed)
        delegate?.managerDidFail(manager)
    }
}

extension ManagerRecorder: APIManagerInterceptor {
    public func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool {
        add(.shouldCall)
        return interceptor?.manager(manager, shouldCallWith: params) ?? true
    }

    public func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
        add(.didCall)
        interceptor?.manager(manager, didCall: requestID, with: params)
    }

    public func manager(_ manager: BaseAPIManager, didReceive response: APIResponse) {
        add(.didReceive)
        interceptor?.manager(manager, didReceive: response)
    }

    public func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool {
        add(.beforeSuccess)
        return interceptor?.manager(manager, beforeSuccessWith: response) ?? true
    }

    public func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse) {
        add(.afterSuccess)
        interceptor?.manager(manager, afterSuccessWith: response)
    }

    public func manager(_ manager: BaseAPIManager, beforeFailureWith error: APIError) -> Bool {
        add(.beforeFailure)
        return interceptor?.manager(manager, beforeFailureWith: error) ?? true
    }

    public func manager(_ manager: BaseAPIManager, afterFailureWith error: APIError) {
        add(.afterFailure)
        interceptor?.manager(manager, afterFailureWith: error)
    }
}

extension ManagerRecorder: APIManagerValidator {
    public func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
        add(.validateParams)
        return validator?.validate(params: params, for: manager) ?? .valid
    }

    public func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
        add(.validateResponse)
        return validator?.validate(response: response, for: manager) ?? .valid
    }
}
