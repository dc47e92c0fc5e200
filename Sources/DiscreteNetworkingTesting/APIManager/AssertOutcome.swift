public import DiscreteNetworkingCore

/// Fails unless a call succeeds.
///
/// ```swift
/// await assertSucceeds(manager, with: ["id": 7]) {
///     XCTAssertEqual($0.name, "茶壶")
/// }
/// ```
///
/// - Parameters:
///   - params: The arguments; `nil` to call the param source.
///   - check: Receives the output; a thrown error fails the test.
/// - Returns: The output; `nil` after a failure.
@MainActor
@discardableResult
public func assertSucceeds<Output>(
    _ manager: TypedAPIManager<Output>, with params: Params? = nil, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line,
    _ check: @MainActor (Output) throws -> Void = { _ in }
) async -> Output? {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let output: Output
    do throws(APIError) {
        output = try await load(manager, with: params, assertedAt: place).get()
    } catch {
        report("\(type(of: manager)) should have succeeded, but failed: \(error)\(hint(manager))", at: place)
        return nil
    }
    do {
        try check(output)
    } catch {
        report("\(type(of: manager)) succeeded, but the check of its output threw: \(error)", at: place)
    }
    return output
}

/// Fails unless a call fails as expected.
///
/// ```swift
/// await assertFails(manager, with: ["id": 404], .business(code: 1001))
/// ```
///
/// - Parameter params: The arguments; `nil` to call the param source.
/// - Returns: The error, expected or not; `nil` if the call succeeded.
@MainActor
@discardableResult
public func assertFails<Output>(
    _ manager: TypedAPIManager<Output>, with params: Params? = nil, _ expected: ExpectedFailure,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
) async -> APIError? {
    let place = TestLine(fileID: fileID, file: file, line: line)
    switch await load(manager, with: params, assertedAt: place) {
    case .success:
        let status = manager.response.map { " (\($0))" } ?? ""
        report(
            "\(type(of: manager)) should have failed with \(expected.name), but succeeded\(status).\(hint(manager))",
            at: place)
        return nil
    case .failure(let error):
        if !expected.accepts(error.kind) {
            report(
                "\(type(of: manager)) should have failed with \(expected.name), but failed otherwise: \(error)\(hint(manager))",
                at: place)
        }
        return error
    }
}

/// Fails unless an action cancels a call in flight. No stub is needed.
///
/// ```swift
/// await assertCancelled(manager) { screen.disappear() }
/// ```
///
/// - Parameters:
///   - params: The arguments; `nil` to call the param source.
///   - action: The action. Default: ``/DiscreteNetworking/BaseAPIManager/cancelAllRequests()``.
@MainActor
public func assertCancelled<Output>(
    _ manager: TypedAPIManager<Output>, with params: Params? = nil, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line, by action: (@MainActor () async -> Void)? = nil
) async {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let outcome = CallOutcomes()
    let requestID = TestLine.$asserted.withValue(place) {
        StubTransport.$needsNoStubs.withValue(true) {
            manager.loadData(with: params) { result in outcome.add(result.map { _ in }) }
        }
    }
    if let action { await action() } else { manager.cancelAllRequests() }
    if outcome.all.isEmpty, manager.isLoading {
        report("\(type(of: manager)) should have been canceled, but is still loading.", at: place)
        manager.cancelRequest(requestID)
    }
    switch await outcome.first(of: type(of: manager), at: place) {
    case .success: report("\(type(of: manager)) should have been canceled, but succeeded.", at: place)
    case .failure(let error) where error.kind != .cancelled:
        report("\(type(of: manager)) should have been canceled, but failed: \(error)", at: place)
    case .failure, nil: break
    }
}

/// Fails if a call sends a request, regardless of its outcome.
///
/// ```swift
/// // Rejected by its validator.
/// await assertSendsNothing(manager, with: ["id": ""])
/// ```
///
/// - Parameter params: The arguments; `nil` to call the param source.
/// - Returns: The error of the call; `nil` if it succeeded.
@MainActor
@discardableResult
public func assertSendsNothing<Output>(
    _ manager: TypedAPIManager<Output>, with params: Params? = nil, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line
) async -> APIError? {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let sent = SentRequests(of: type(of: manager))
    let observer = manager.proxy.addObserver(sent)
    defer { manager.proxy.removeObserver(observer) }
    let result = await load(manager, with: params, assertedAt: place)
    if let request = sent.requests.current.first {
        report(
            "\(type(of: manager)) should have sent nothing, but sent \(request.curlCommand(redaction: manager.proxy.redaction))",
            at: place)
    }
    if case .failure(let error) = result { return error }
    return nil
}

/// Performs a call; failures below are reported at the assertion.
@MainActor
func load<Output>(
    _ manager: TypedAPIManager<Output>, with params: Params?, assertedAt place: TestLine
) async -> Result<Output, APIError> {
    await TestLine.$asserted.withValue(place) {
        do throws(APIError) {
            return .success(try await manager.load(with: params))
        } catch {
            return .failure(error)
        }
    }
}

/// A hint for a manager without a proxy of the test.
@MainActor
private func hint(_ manager: BaseAPIManager) -> String {
    guard manager.proxy === ApiProxy.shared else { return "" }
    return """

          The manager has ApiProxy.shared, and no proxy of the test. For its stubs: \
        manager.proxy = ApiProxy(stubbing: stubs, […])
        """
}

/// The requests sent by managers of a class.
private final class SentRequests: APICallObserver {
    let requests = Locked<[APIRequest]>([])
    private let manager: BaseAPIManager.Type

    init(of manager: BaseAPIManager.Type) { self.manager = manager }

    func observe(_ event: APICallEvent) {
        guard case .sent(let request) = event.kind, event.call.managerType == manager else { return }
        requests.withLock { $0.append(request) }
    }
}
