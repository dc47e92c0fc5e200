import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworking

/// Fail-over between three hosts, which a test switches on and off.
@MainActor
final class FailoverTests: XCTestCase {
    /// Hosts `a`, `b` and `c`, each with what becomes of a request there; its name answers by default.
    private final class Hosts: Sendable {
        typealias Answer = @Sendable (APIRequest) async throws -> TransportResponse
        let answers = Locked<[String: Answer]>([:])
        let asked = Locked<[String]>([])

        func fail(_ names: String..., with kind: TransportError.Kind = .cannotConnect) {
            set(names) { _ in throw TransportError(kind, message: "It is down.") }
        }
        func work(_ names: String...) { answers.withLock { for name in names { $0[name] = nil } } }
        func set(_ names: [String], _ answer: @escaping Answer) {
            answers.withLock { for name in names { $0[name] = answer } }
        }

        var transport: ClosureTransport {
            ClosureTransport { [self] request in
                let name = String(request.url.host?.prefix(1) ?? "")
                asked.withLock { $0.append(name) }
                return try await answers.current[name]?(request) ?? Self.answer(request)
            }
        }

        static func answer(_ request: APIRequest, status: Int = 200) -> TransportResponse {
            TransportResponse(
                url: request.url, status: status,
                headers: ["Content-Type": "application/json", "ETag": #""1""#],
                body: .data(Data(#"{"id":1,"name":"\#(request.url.host ?? "")"}"#.utf8)))
        }

        /// Where the requests went since this was asked last.
        var log: String {
            asked.withLock { asked in
                defer { asked = [] }
                return asked.joined()
            }
        }
    }

    private let hosts = Hosts()
    private var transport: ClosureTransport!
    private var stack: Stack!

    override func setUp() async throws {
        transport = hosts.transport
        stack = Stack(transport) {
            $0.baseURL = URL(string: "https://a.example.com/api?app=1")!
            $0.failover = FailoverPolicy(to: [
                URL(string: "https://b.example.com:8443/")!, URL(string: "https://c.example.com/mirror/api")!,
            ])
        }
    }

    private func manager(_ method: HTTPMethod = .get) -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.requestType = method
        return manager
    }

    private func load(_ method: HTTPMethod = .get) async -> APIError? { await failure(manager(method)) }

    // MARK: Going on

    func testTheNextHostTakesOverWhenTheConnectionIsRefused() async throws {
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        hosts.fail("a")
        hosts.fail("b", with: .cannotFindHost)
        for method in [HTTPMethod.get, .post] {
            let manager = manager(method)
            let product = try await manager.load(with: ["id": 7])
            XCTAssertEqual(product.name, "c.example.com")
        }
        XCTAssertEqual(hosts.log, "abcc", "the second call knows")
        XCTAssertEqual(
            transport.requests.prefix(3).map(\.url.absoluteString),
            [
                "https://a.example.com/api/products/detail?app=1&id=7",
                "https://b.example.com:8443/products/detail?app=1&id=7",
                "https://c.example.com/mirror/api/products/detail?app=1&id=7",
            ])
        XCTAssertEqual(
            recorder.names.prefix(9),
            [
                "started", "built", "sent", "host 2 of 3", "built", "sent", "host 3 of 3", "built", "sent",
            ])
        XCTAssertEqual(recorder.events.current.map(\.call.attempt).max(), 3)
        XCTAssertTrue(
            recorder.events.current.map(\.description).contains {
                $0.contains("to b.example.com, host 2 of 3")
            })
    }

    func testOnlyAnIdempotentCallGoesOnWhenItMayHaveArrived() async {
        for kind in [TransportError.Kind.connectionLost, .timedOut, .secureConnectionFailed] {
            stack.clock.advance(by: 100)
            hosts.fail("a", with: kind)
            let error = await load(.post)
            XCTAssertNotNil(error, "\(kind)")
            XCTAssertEqual(hosts.log, "a", "\(kind)")
            let next = await load(.post)
            XCTAssertNil(next)
            XCTAssertEqual(hosts.log, "b", "the next call avoids it")
            stack.clock.advance(by: 100)
            for method in [HTTPMethod.get, .put, .delete] {
                let error = await load(method)
                XCTAssertNil(error)
            }
            XCTAssertEqual(hosts.log, "abbb", "\(kind)")
        }
    }

    /// The limit of the attempt, which the proxy enforces.
    func testAnAttemptThatTakesTooLongGoesOn() async throws {
        let gate = Gate()
        hosts.set(["a"]) { request in
            await gate.pass()
            return Hosts.answer(request)
        }
        stack.service.rules.withLock {
            $0.adapt = { request, _ in
                request.timeout = request.url.host == "a.example.com" ? 0.01 : .infinity
            }
        }
        let product = try await manager().load()
        XCTAssertEqual(product.name, "b.example.com")
        gate.open()
    }

    func testAllHostsAreTriedBeforeTheFailureIsReported() async {
        let decisions = Locked(0)
        stack.service.rules.withLock {
            $0.intercept = { _ in
                decisions.withLock { $0 += 1 }
                return .report
            }
        }
        hosts.fail("a", "b", "c")
        guard case .transport(let error)? = await load()?.kind else { return XCTFail("there is no host") }
        XCTAssertEqual(error.kind, .cannotConnect)
        XCTAssertEqual(hosts.log, "abcabc", "a refused connection costs nothing")
        XCTAssertEqual(decisions.current, 1)
        hosts.fail("a", "b", "c", with: .connectionLost)
        stack.clock.advance(by: 100)
        _ = await load()
        XCTAssertEqual(hosts.log, "abc")
    }

    func testEachRetryTriesAllHosts() async {
        stack.service.rules.withLock {
            $0.retry = RetryPolicy(attempts: 2)
            $0.retryLimit = 0
        }
        hosts.fail("a", "b", "c", with: .connectionLost)
        let manager = manager()
        manager.loadData()
        await stack.clock.waitForSleepers()
        hosts.work("c")
        stack.clock.advance(by: 1)
        await until { !manager.isLoading }
        XCTAssertNil(manager.error)
        XCTAssertEqual(hosts.log, "abcabc")
    }

    func testWhatIsNotTheHostsFaultIsReported() async {
        for kind in [
            TransportError.Kind.serverCertificateUntrusted, .publicKeyNotPinned, .badResponse, .unknown,
        ] {
            hosts.fail("a", with: kind)
            let error = await load()
            XCTAssertNotNil(error, "\(kind)")
            XCTAssertEqual(hosts.log, "a", "\(kind)")
        }
        hosts.set(["a"]) { Hosts.answer($0, status: 503) }
        let error = await load()
        XCTAssertEqual(error?.kind, .http(status: 503))
        XCTAssertEqual(hosts.log, "a", "a host that answers works")
    }

    /// The first host has received the request, and has perhaps done what it says.
    func testNothingIsRepeatedAfterARedirect() async {
        hosts.set(["a"]) {
            TransportResponse(url: $0.url, status: 303, headers: ["Location": "https://dead.example.com/"])
        }
        hosts.fail("d")
        let error = await load(.post)
        XCTAssertNotNil(error)
        XCTAssertEqual(hosts.log, "ad")
        let next = await load()
        XCTAssertNotNil(next)
        XCTAssertEqual(hosts.log, "ad", "it works, and redirects")
    }

    func testAStreamGoesOnBeforeItBegins() async throws {
        hosts.fail("a", with: .connectionLost)
        let stream = try await stack.manager(TestManager<ByteStream>()).load()
        XCTAssertEqual(stream.response.url.host, "b.example.com")
    }

    func testBadHostsAreInvalidRequests() async {
        hosts.fail("a")
        for text in ["http://b.example.com", "https://u:p@b.example.com", "https://b.example.com?x=1", "b"] {
            stack.clock.advance(by: 100)
            stack.service.rules.withLock { $0.failover = FailoverPolicy(to: [URL(string: text)!]) }
            guard case .invalidRequest? = await load()?.kind else { return XCTFail(text) }
            XCTAssertEqual(hosts.log, "a", text)
        }
    }

    // MARK: Going back

    func testAHostThatFailedIsAvoidedForAWhile() async throws {
        hosts.fail("a")
        _ = await load()
        for _ in 1...3 { _ = await load() }
        XCTAssertEqual(hosts.log, "abbbb")
        stack.clock.advance(by: 60)

        // One call is the trial; the others do not wait for it.
        let gate = Gate()
        hosts.set(["a"]) { request in
            await gate.pass()
            return Hosts.answer(request)
        }
        let trial = manager()
        trial.loadData()
        await gate.arrival()
        for _ in 1...3 { _ = await load() }
        XCTAssertEqual(hosts.log, "abbb")
        gate.open()
        await until { !trial.isLoading }
        XCTAssertEqual(trial.output?.name, "a.example.com")
        _ = await load()
        XCTAssertEqual(hosts.log, "a")
    }

    func testATrialThatFailsLeavesTheOthersAlone() async {
        hosts.fail("a")
        _ = await load()
        stack.clock.advance(by: 60)
        for _ in 1...3 {
            let error = await load()
            XCTAssertNil(error)
        }
        XCTAssertEqual(hosts.log, "ab" + "abbb")
    }

    /// Calls that were sent together fail one after the other.
    func testALateFailureIsNoNewOne() async {
        let gate = Gate()
        hosts.set(["a"]) { request in
            await gate.pass()
            throw TransportError.lost
        }
        let late = manager()
        late.loadData()
        await gate.arrival()
        hosts.fail("a")
        _ = await load()
        hosts.work("a")
        stack.clock.advance(by: 60)
        _ = await load()
        _ = hosts.log
        gate.open()
        await until { !late.isLoading }
        XCTAssertNil(late.error)
        _ = await load()
        XCTAssertEqual(hosts.log, "ba", "the late call goes on elsewhere, and the host works as before")
    }

    func testAHealthCheckComesBeforeCalls() async {
        let healthy = Locked(false)
        let checks = Locked<[APIRequest]>([])
        stack.service.rules.withLock {
            $0.failover?.healthCheck = "health"
            $0.session = TokenSession()
        }
        stack.service.session?.adopt(SessionTokens(accessToken: "the-token"))
        hosts.fail("a")
        _ = await load()
        hosts.set(["a"]) { request in
            guard request.url.path == "/api/health" else { return Hosts.answer(request) }
            checks.withLock { $0.append(request) }
            return Hosts.answer(request, status: healthy.current ? 204 : 503)
        }
        for round in 1...2 {
            XCTAssertEqual(checks.current.count, round - 1)
            stack.clock.advance(by: 60)
            let error = await load()
            XCTAssertNil(error)
            await until { checks.current.count == round }
            healthy.current = true
        }
        XCTAssertEqual(checks.current.map { $0.headers["Authorization"] }, [nil, nil])
        await until { self.stack.proxy.hosts.avoided.isEmpty }
        let product = try? await manager().load()
        XCTAssertEqual(product?.name, "a.example.com")
        XCTAssertFalse(
            hosts.log.dropFirst(2).dropLast().filter { $0 != "a" }.isEmpty, "calls went to b meanwhile")
    }

    // MARK: Neighbors

    func testADeadHostDoesNotOpenTheBreakerWhileAnotherLives() async {
        stack.service.rules.withLock { $0.breaker = BreakerPolicy(threshold: 2) }
        for _ in 1...10 {
            hosts.fail("a", "b")
            let error = await load()
            XCTAssertNil(error)
            hosts.work("a", "b")
            stack.clock.advance(by: 60)
        }
        hosts.fail("a", "b", "c")
        for _ in 1...2 {
            guard case .transport? = await load()?.kind else { return XCTFail("closed") }
        }
        guard case .degraded? = await load()?.kind else { return XCTFail("open") }
    }

    func testTheTrialOfAHalfOpenBreakerMayTryEveryHost() async {
        stack.service.rules.withLock { $0.breaker = BreakerPolicy(threshold: 1, openDuration: 300) }
        hosts.fail("a", "b", "c")
        guard case .transport? = await load()?.kind else { return XCTFail("closed") }
        guard case .degraded? = await load()?.kind else { return XCTFail("open") }
        hosts.work("c")
        stack.clock.advance(by: 300)
        _ = hosts.log
        let error = await load()
        XCTAssertNil(error)
        XCTAssertEqual(hosts.log, "abc", "one trial")
    }

    func testARequestIsMadeForItsHost() async throws {
        let jar = CookieJar()
        jar.add(
            try XCTUnwrap(
                SetCookie("at=a; Path=/")?.cookie(from: URL(string: "https://a.example.com")!, now: Date())))
        stack.service.rules.withLock {
            $0.session = TokenSession()
            $0.cookies = jar
            $0.signer = HostSigner()
        }
        stack.service.session?.adopt(SessionTokens(accessToken: "the-token"))
        hosts.fail("a")
        _ = try await manager().load()
        let (first, second) = (transport.requests[0], transport.requests[1])
        XCTAssertEqual(first.headers["X-Signature"], "a.example.com")
        XCTAssertEqual(second.headers["X-Signature"], "b.example.com")
        XCTAssertEqual(first.headers["Cookie"], "at=a")
        XCTAssertNil(second.headers["Cookie"])
        XCTAssertEqual(second.headers["Authorization"], "Bearer the-token")
    }

    func testAStoredResponseStandsForAllHosts() async throws {
        let manager = manager()
        manager.ownCache = CachePolicy(.revalidate)
        _ = try await manager.load(with: ["id": 7])
        hosts.set(["b"]) { request in
            XCTAssertEqual(request.headers["If-None-Match"], #""1""#)
            return TransportResponse(url: request.url, status: 304)
        }
        hosts.fail("a")
        let product = try await manager.load(with: ["id": 7])
        XCTAssertEqual(product.name, "a.example.com", "stored")
        XCTAssertEqual(hosts.log, "aab")
    }

    /// Its request is built before a host is chosen, to look for a stored response.
    func testACallThatMissesTheCacheFailsOverToo() async throws {
        let manager = manager()
        manager.ownCache = CachePolicy(.cacheFirst)
        hosts.fail("a")
        let product = try await manager.load(with: ["id": 7])
        XCTAssertEqual(product.name, "b.example.com")
        hosts.fail("b", "c")
        _ = try await manager.load(with: ["id": 7])
        XCTAssertEqual(hosts.log, "ab", "stored under the same key")
    }

    /// A call does not join an exchange with a host that does not answer.
    func testIdenticalRequestsShareOnlyAtOneHost() async throws {
        stack.service.rules.withLock { $0.sharing = true }
        let gate = Gate()
        hosts.set(["a"]) { request in
            await gate.pass()
            return Hosts.answer(request)
        }
        let held = manager()
        held.loadData(with: ["id": 1])
        await gate.arrival()
        hosts.fail("a")
        _ = try await manager().load(with: ["id": 2])
        let product = try await manager().load(with: ["id": 1])
        XCTAssertEqual(product.name, "b.example.com")
        gate.open()
        await until { !held.isLoading }
        XCTAssertEqual(held.output?.name, "a.example.com")
    }

    func testAWholeURLOfAnyHostIsTheServices() async throws {
        stack.service.rules.withLock { $0.session = TokenSession() }
        stack.service.session?.adopt(SessionTokens(accessToken: "the-token"))
        _ = try await manager().load(at: URL(string: "https://c.example.com/next")!)
        XCTAssertEqual(transport.requests.last?.headers["Authorization"], "Bearer the-token")
        hosts.fail("c")
        let manager = manager()
        manager.loadData(at: URL(string: "https://c.example.com/next")!)
        await until { !manager.isLoading }
        XCTAssertNotNil(manager.error, "it names its host")
        XCTAssertEqual(hosts.log, "cc")
    }

    /// Its pins are for each of the hosts.
    func testTheServicesTransportIsThatOfAllItsHosts() async throws {
        let other = Wire(stub: ClosureTransport(json: teapot))
        let own = Wire(stub: transport)
        let stack = Stack(other) { [rules = stack.service.rules.current] in
            $0 = rules
            $0.transport = own
        }
        hosts.set(["a"]) {
            TransportResponse(url: $0.url, status: 302, headers: ["Location": "https://c.example.com/1"])
        }
        _ = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(hosts.log, "ac")
        XCTAssertEqual(other.stub.requests.count, 0)
    }
}

/// Signs for a host.
private struct HostSigner: RequestSigner {
    func sign(_ request: inout APIRequest, for call: APICall) {
        request.headers["X-Signature"] = request.url.host
    }
}
