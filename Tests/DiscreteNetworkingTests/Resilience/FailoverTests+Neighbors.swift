import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

/// Fail-over beside breakers, cookies, caches, sharing, whole URLs and transports of a service.
extension FailoverTests {
    func testADeadHostDoesNotOpenTheBreakerWhileAnotherLives() async {
        stack.change { $0.breaker = CircuitBreakerPolicy(threshold: 2) }
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
        stack.change { $0.breaker = CircuitBreakerPolicy(threshold: 1, openDuration: 300) }
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
        await jar.anonymousTurn().keep(["at=a; Path=/"], from: URL(string: "https://a.example.com")!)
        stack.change {
            $0.session = TokenSession()
            $0.cookies = jar
            $0.signer = HostSigner()
        }
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "the-token"))
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

    /// Its request is built before a host is chosen, to look for a cached response.
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
        stack.change { $0.sharing = true }
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
        stack.change { $0.session = TokenSession() }
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "the-token"))
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
