public import DiscreteNetworkingCore
public import Foundation

/// A transport that answers requests as specified by a test, and records them. Nothing is sent.
///
/// ```swift
/// // One for each test.
/// let stubs = StubTransport()
/// manager.proxy = ApiProxy(
///     stubbing: stubs, [.storefront: StorefrontService.self])
/// stubs.on(ProductManager.self, answer: .json(["id": 7, "name": "茶壶"]))
/// stubs.on(LoginManager.self, answers: [.status(401), .json(["token": "t"])])
/// ```
///
/// If several stubs match a request, the last one added answers, so that a test can override its `setUp`. A
/// request without a matching stub fails the test, with the nearest stub and the mismatch, and its call
/// ends with ``/DiscreteNetworking/APIError/Kind/transport(_:)``.
public final class StubTransport: Transport {
    private struct State {
        var stubs: [Stub] = []
        var requests: [APIRequest] = []
        var complaints: Set<String> = []
    }

    private let state = Watched(State())
    private let line: TestLine

    /// Whether an unmatched request waits instead of failing: for calls that are going to be canceled.
    @TaskLocal static var needsNoStubs = false

    /// Creates a transport without stubs.
    public init(fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line) {
        self.line = TestLine(fileID: fileID, file: file, line: line)
    }

    // MARK: Stubs

    /// Adds a stub that answers every request that all matchers match.
    public func on(
        _ matchers: StubMatcher..., answer: StubAnswer, fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        add(matchers, [answer], repeats: true, TestLine(fileID: fileID, file: file, line: line))
    }

    /// Adds a stub with one answer per request. It no longer matches after the last answer.
    public func on(
        _ matchers: StubMatcher..., answers: [StubAnswer], fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        add(matchers, answers, repeats: false, TestLine(fileID: fileID, file: file, line: line))
    }

    /// Adds a stub for requests of a manager's class that all matchers match.
    public func on(
        _ manager: (some BaseAPIManager).Type, _ matchers: StubMatcher..., answer: StubAnswer,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
    ) {
        add(
            [.manager(manager)] + matchers, [answer], repeats: true,
            TestLine(fileID: fileID, file: file, line: line))
    }

    /// Adds a stub for requests of a manager's class, with one answer per request. It no longer matches
    /// after the last answer.
    public func on(
        _ manager: (some BaseAPIManager).Type, _ matchers: StubMatcher..., answers: [StubAnswer],
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
    ) {
        add(
            [.manager(manager)] + matchers, answers, repeats: false,
            TestLine(fileID: fileID, file: file, line: line))
    }

    private func add(_ matchers: [StubMatcher], _ answers: [StubAnswer], repeats: Bool, _ line: TestLine) {
        for case .mistake(let reason) in answers.map(\.ending) { report(reason, at: line) }
        state.withLock {
            $0.stubs.append(
                Stub(
                    matchers: matchers.isEmpty ? [.any] : matchers, answers: answers, repeats: repeats,
                    line: line))
        }
    }

    /// Fails the test for each stub that was not used, or has unused answers, at the line where it was
    /// added.
    ///
    /// ```swift
    /// defer { stubs.verifyAllUsed() }
    /// await assertSucceeds(manager, with: ["id": 7])
    /// ```
    public func verifyAllUsed() {
        for stub in state.current.stubs {
            if let leftover = stub.leftover { report(leftover, at: stub.line) }
        }
    }

    // MARK: Requests

    /// The requests so far, in order. File and stream bodies are converted to data.
    public var requests: [APIRequest] { state.withLock { $0.requests } }

    /// Waits until a number of requests were received, answered or not. Returns early if the task is
    /// canceled.
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - limit: The timeout in seconds, after which the test fails. Default: 30.
    public func waitForRequests(
        _ count: Int = 1, within limit: TimeInterval = 30, fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) async {
        let line = TestLine(fileID: fileID, file: file, line: line)
        await state.wait(
            within: limit, at: line, until: { $0.requests.count >= count },
            missing: { state in
                let came = state.requests.map { "\n  \($0)" }.joined()
                return
                    "\(count) requests. There were \(state.requests.count)\(came.isEmpty ? "." : ":" + came)"
            })
    }

    // MARK: Transport

    /// Returns `true`: nothing that a test does not stub is sent.
    public func replacesServiceTransport(for url: URL) -> Bool { true }

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        var request = request
        var sent = 0
        if case .none = request.body {
        } else {
            let body = try await request.body.collected()
            request.body = .data(body)
            sent = body.count
        }
        // Outside the lock: a custom matcher may access the transport.
        let stubs = state.current.stubs
        let meant = stubs.indices.filter { stubs[$0].isFor(request) }
        let answer = state.withLock { [request] state -> StubAnswer? in
            state.requests.append(request)
            guard let index = meant.last(where: { state.stubs[$0].next != nil }) else { return nil }
            defer { state.stubs[index].used += 1 }
            return state.stubs[index].next
        }
        if let answer { return try await answer.send(request, sent: sent) }
        if Self.needsNoStubs { return try await StubAnswer.never.send(request, sent: sent) }
        throw complain(of: request)
    }

    /// Fails the test, once per endpoint, and returns the error of the call.
    private func complain(of request: APIRequest) -> TransportError {
        let text = UnansweredRequest(request, stubs: state.current.stubs).text
        if state.withLock({ $0.complaints.insert(text).inserted }) {
            report(text, at: TestLine.asserted ?? line)
        }
        return TransportError(.unsupported, message: text)
    }
}

extension ApiProxy {
    /// Creates a proxy for a test: with stubs, and new services that store nothing.
    ///
    /// Sessions, cookies, caches and the choice of an environment are in memory and empty, regardless of the services; see
    /// ``/DiscreteNetworking/ServiceFactory/keepInMemory()``. For a user who is logged in, give the session a token:
    ///
    /// ```swift
    /// let proxy = ApiProxy(stubbing: stubs, [.storefront: StorefrontService.self])
    /// proxy.services.configuration(for: .storefront)?.session?.adopt(
    ///     SessionTokens(accessToken: "of the test"))
    /// ```
    /// - Parameters:
    ///   - stubs: The stub transport.
    ///   - services: The services to register in a new factory.
    ///   - redaction: The redaction of errors and logs.
    ///   - clock: A ``TestClock`` for tests of caches, retries, debouncing or circuit breakers. Default: the system
    ///     clock.
    ///   - random: Returns the fraction of each delay between retries, from 0 to 1. Default: 0 with the
    ///     system clock, so that tests do not wait unless the server asks for it; otherwise 1.
    public convenience init(
        stubbing stubs: StubTransport, _ services: [ServiceIdentifier: any Service.Type],
        redaction: Redaction = .standard, clock: any APIClock = SystemClock(),
        random: (@Sendable () -> Double)? = nil
    ) {
        let factory = ServiceFactory()
        factory.register(services)
        self.init(
            stubbing: stubs, services: factory, redaction: redaction, clock: clock, random: random)
    }

    /// Creates a proxy for a test with services that need more than `init()`. Each closure creates one, on first use.
    ///
    /// ```swift
    /// let proxy = ApiProxy(stubbing: stubs, [.club: { ClubService(region: "cn") }])
    /// ```
    /// The services store nothing either. A ``/DiscreteNetworking/MemoryCredentialStore`` that they are given stays.
    @_disfavoredOverload
    public convenience init(
        stubbing stubs: StubTransport, _ services: [ServiceIdentifier: @Sendable () -> any Service],
        redaction: Redaction = .standard, clock: any APIClock = SystemClock(),
        random: (@Sendable () -> Double)? = nil
    ) {
        let factory = ServiceFactory()
        factory.register(services)
        self.init(
            stubbing: stubs, services: factory, redaction: redaction, clock: clock, random: random)
    }

    /// Creates a proxy for a test with the services of a factory, such as the one that the app registers its services with.
    ///
    /// The services of the factory store nothing from then on. For a test of what a service stores, create the proxy with
    /// `ApiProxy(transport: stubs, services: factory)`.
    public convenience init(
        stubbing stubs: StubTransport, services: ServiceFactory, redaction: Redaction = .standard,
        clock: any APIClock = SystemClock(), random: (@Sendable () -> Double)? = nil
    ) {
        services.keepInMemory()
        let share: Double = clock is SystemClock ? 0 : 1
        self.init(
            transport: stubs, services: services, redaction: redaction, clock: clock,
            random: random ?? { share })
    }
}
