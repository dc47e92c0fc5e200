import DiscreteNetworking
import Foundation

/// A transport that answers as a test says, and remembers what it was asked. Nothing goes on the wire.
///
/// ```swift
/// let stubs = StubTransport()                                        // one for each test
/// manager.proxy = ApiProxy(stubbing: stubs, [.storefront: StorefrontService.self])
/// stubs.on(ProductManager.self, answer: .json(["id": 7, "name": "茶壶"]))
/// stubs.on(LoginManager.self, answers: [.status(401), .json(["token": "t"])])
/// ```
/// Of several stubs that match a request the one that was added last answers, so that a test can say otherwise than its
/// `setUp`. A request that no stub answers fails the test, with the nearest stub and why that did not match, and its
/// call ends with ``APIError/Kind/transport(_:)``.
public final class StubTransport: Transport {
    private struct State {
        var stubs: [Stub] = []
        var requests: [APIRequest] = []
        var complaints: Set<String> = []
    }

    private let state = Watched(State())
    private let line: TestLine

    /// Whether a request that no stub answers just waits: where a call is to be given up, its answer does not matter,
    /// and whether it comes so far depends on the moment.
    @TaskLocal static var needsNoStubs = false

    public init(fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line) {
        self.line = TestLine(fileID: fileID, file: file, line: line)
    }

    // MARK: Stubs

    /// Answers every request that all matchers mean.
    public func on(
        _ matchers: StubMatcher..., answer: StubAnswer, fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        add(matchers, [answer], repeats: true, TestLine(fileID: fileID, file: file, line: line))
    }

    /// Answers the first such request with the first answer, and so on. After the last one the stub matches no more.
    public func on(
        _ matchers: StubMatcher..., answers: [StubAnswer], fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        add(matchers, answers, repeats: false, TestLine(fileID: fileID, file: file, line: line))
    }

    /// Answers every request of a manager's class that all matchers mean, too.
    public func on(
        _ manager: (some BaseAPIManager).Type, _ matchers: StubMatcher..., answer: StubAnswer,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
    ) {
        add(
            [.manager(manager)] + matchers, [answer], repeats: true,
            TestLine(fileID: fileID, file: file, line: line))
    }

    /// Answers the requests of a manager's class one after the other. After the last one the stub matches no more.
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

    /// Fails the test for each stub that was never used, at the line where it was added, and for each sequence of
    /// which answers are left.
    ///
    /// ```swift
    /// defer { stubs.verifyAllUsed() }
    /// ```
    public func verifyAllUsed() {
        for stub in state.current.stubs {
            if let leftover = stub.leftover { report(leftover, at: stub.line) }
        }
    }

    // MARK: What came

    /// Every request so far, in order. A body from a file or a stream was read, and is there as data.
    public var requests: [APIRequest] { state.withLock { $0.requests } }

    /// Waits until so many requests have come in all, answered or not. Returns early where the task is cancelled.
    /// - Parameter limit: seconds, after which the test fails. Default: 30.
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

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        var request = request
        var sent = 0
        if case .none = request.body {
        } else {
            let body = try await request.body.collected()
            request.body = .data(body)
            sent = body.count
        }
        // Not under the lock: a matcher of the test's own may look at what came before.
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

    /// Fails the test, once for each endpoint, and answers what its call gets.
    private func complain(of request: APIRequest) -> TransportError {
        let text = UnansweredRequest(request, stubs: state.current.stubs).text
        if state.withLock({ $0.complaints.insert(text).inserted }) {
            report(text, at: TestLine.asserted ?? line)
        }
        return TransportError(.unsupported, message: text)
    }
}

extension ApiProxy {
    /// A proxy for one test: over stubs, with services and caches of its own, all of them in memory.
    /// - Parameters:
    ///   - services: made anew, so that what a test sets on them is gone with it.
    ///   - clock: a ``TestClock``, where caches, retries, debounce or breakers are tested.
    ///   - random: which part of each pause between retries is waited, from 0 to 1. Default: with the system's clock 0,
    ///     so that a test waits for none unless the server asks for it; with a clock of the test's own 1, the whole one.
    public convenience init(
        stubbing stubs: StubTransport, _ services: [ServiceIdentifier: any Service.Type],
        redaction: Redaction = .standard, clock: any APIClock = SystemClock(),
        random: (@Sendable () -> Double)? = nil
    ) {
        let factory = ServiceFactory()
        factory.register(services)
        let share: Double = clock is SystemClock ? 0 : 1
        self.init(
            transport: stubs, services: factory, redaction: redaction,
            caches: CacheTiers(memory: MemoryCache(), disk: MemoryCache()), clock: clock,
            random: random ?? { share })
    }
}
