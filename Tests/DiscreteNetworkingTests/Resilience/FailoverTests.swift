import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience
@testable import DiscreteNetworkingTransfers

/// Fail-over between three hosts, which a test switches on and off.
@MainActor
final class FailoverTests: XCTestCase {
    let hosts = Hosts()
    var transport: ClosureTransport!
    var stack: Stack!

    override func setUp() async throws {
        transport = hosts.transport
        stack = Stack(transport) {
            $0.baseURL = URL(string: "https://a.example.com/api?app=1")!
            $0.failover = FailoverPolicy(to: [
                URL(string: "https://b.example.com:8443/")!, URL(string: "https://c.example.com/mirror/api")!,
            ])
        }
    }

    func manager(_ method: HTTPMethod = .get) -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.requestType = method
        return manager
    }

    func load(_ method: HTTPMethod = .get) async -> APIError? { await failure(manager(method)) }

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
                $0.contains("from a.example.com:443, host 1 of 3 to b.example.com:8443, host 2 of 3")
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
        stack.change {
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
        stack.change {
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
        stack.change {
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

    func testFailuresThatTheHostDidNotCauseAreReported() async {
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
            stack.change { $0.failover = FailoverPolicy(to: [URL(string: text)!]) }
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

    func testAHealthCheckKeepsToThePlainHTTPPolicy() async throws {
        stack.change { $0.plainHTTPHosts = ["a.example.com"] }
        let configured = ServiceInstance(stack.service).configured
        for (host, isAsked) in [
            ("http://a.example.com", true), ("http://b.example.com", false), ("https://b.example.com", true),
        ] {
            let url = try XCTUnwrap(URL(string: host + "/health"))
            let isHealthy = await HealthCheck(of: url, configured, stack.proxy).succeeds()
            XCTAssertEqual(isHealthy, isAsked, host)
            XCTAssertEqual(!hosts.log.isEmpty, isAsked, host)
        }
    }

    func testAHealthCheckComesBeforeCalls() async {
        let healthy = Locked(false)
        let checks = Locked<[APIRequest]>([])
        stack.change {
            $0.failover?.healthCheck = "health"
            $0.session = TokenSession()
        }
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "the-token"))
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
}
