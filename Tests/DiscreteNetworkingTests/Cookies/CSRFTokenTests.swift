import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

/// Tokens from an endpoint: fetched once, fetched again if rejected, and kept for one user.
@MainActor
final class CSRFTokenTests: XCTestCase {
    private func desk(prefix: String = "proof", header: String = "X-CSRFToken") throws -> CSRFDesk {
        let desk = try CSRFDesk(prefix: prefix, header: header)
        addTeardownBlock { desk.server.stop() }
        return desk
    }

    // MARK: Fetching

    func testOneFetchServesManyCalls() async throws {
        let desk = try desk()
        let stack = desk.stack()
        let first = await stack.post(30)
        let second = await stack.post(3)
        XCTAssertEqual((first + second).map(\.description), [])
        let book = desk.book.current
        XCTAssertEqual([book.fetches, book.accepted, book.rejected], [1, 33, 0])
    }

    func testARejectedTokenIsFetchedOnceForAllCallsThatFailed() async throws {
        let desk = try desk()
        let stack = desk.stack()
        _ = await stack.post(1)
        desk.rotate()
        let errors = await stack.post(30)
        XCTAssertEqual(errors.map(\.description), [])
        let book = desk.book.current
        XCTAssertEqual([book.fetches, book.accepted], [2, 31])
        XCTAssertLessThanOrEqual(book.rejected, 30)
    }

    func testACallIsRepeatedOnce() async throws {
        let desk = try desk()
        desk.book.withLock { $0.rejectsAll = true }
        let recorder = EventTests.Recorder()
        let stack = desk.stack().observed(by: recorder)
        let manager = stack.poster()
        let outcomes = Locked(0)
        await withCheckedContinuation { done in
            manager.loadData(with: [:]) { _ in
                outcomes.withLock { $0 += 1 }
                done.resume()
            }
        }
        XCTAssertEqual(manager.error?.kind, .http(status: 400))
        XCTAssertEqual(outcomes.current, 1)
        let book = desk.book.current
        XCTAssertEqual([book.fetches, book.rejected], [2, 2])
        XCTAssertEqual(recorder.names.filter { $0.hasPrefix("repeated") }, ["repeated 0.0"])
    }

    /// A 400 for another reason is no reason for a token.
    func testAnotherFailureIsNotRepeated() async throws {
        let desk = try desk()
        let stack = desk.stack { $0.csrf?.rejects = { _ in false } }
        desk.book.withLock { $0.rejectsAll = true }
        let error = await failure(stack.poster())
        XCTAssertEqual(error?.kind, .http(status: 400))
        XCTAssertEqual(desk.book.current.rejected, 1)
    }

    func testAFetchThatFailsEndsTheCallsThatWaitAndIsMadeAgain() async throws {
        let desk = try desk()
        let stack = desk.stack()
        desk.book.withLock { $0.fetchStatus = 500 }
        let errors = await stack.post(5)
        XCTAssertEqual(errors.count, 5)
        for error in errors {
            guard case .invalidRequest(let reason) = error.kind else { return XCTFail("\(error)") }
            XCTAssertTrue(reason.contains("CSRF token"), reason)
            XCTAssertEqual(error.underlying?.kind, .http(status: 500))
            XCTAssertFalse("\(error)\(error.underlying!)".contains("proof-1"), "\(error)")
        }
        let failed = desk.book.current
        XCTAssertEqual([failed.accepted, failed.rejected], [0, 0], "nothing was sent")
        desk.book.withLock { $0.fetchStatus = 200 }
        let later = await stack.post(5)
        XCTAssertEqual(later.map(\.description), [])
    }

    /// What the network does to the fetch decides about retries and texts, as if it had done it to the call.
    func testAFetchWithoutANetworkIsNotReachable() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(Wire(stub: transport)) {
            $0.csrf = CSRFProtection(endpoint: "csrf", header: "X-CSRFToken")
        }
        stack.reachability.isConnected = false
        let error = await failure(stack.poster())
        XCTAssertEqual(error?.kind, .notReachable)
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testATokenThatNoHeaderCanHaveIsRefused() async throws {
        for token in ["", "a b", #"a\r\nX-Evil: 1"#, "é", String(repeating: "x", count: 9000)] {
            let transport = ClosureTransport(json: #"{"result":"\#(token)"}"#)
            let stack = Stack(transport) {
                $0.csrf = CSRFProtection(endpoint: "csrf", at: "result", header: "X-CSRFToken")
            }
            let error = await failure(stack.poster())
            guard case .invalidRequest? = error?.kind else { return XCTFail("\(token) \(error as Any)") }
            XCTAssertEqual(transport.requests.map(\.url.path), ["/csrf"])
        }
    }

    func testAPathWithoutATextIsNamed() async throws {
        for path in ["nothing", "number"] as [JSONPath] {
            let stack = Stack(ClosureTransport(json: #"{"number":3}"#)) {
                $0.csrf = CSRFProtection(endpoint: "csrf", at: path, header: "X-CSRFToken")
            }
            let error = await failure(stack.poster())
            XCTAssertTrue(
                "\(error as Any)".contains("the response of csrf has no text at \(path)"), "\(error as Any)")
        }
    }

    func testACallThatIsCancelledLeavesTheFetchToTheOthers() async throws {
        let (desk, gate) = (try desk(), LoopbackGate())
        desk.book.withLock { $0.gate = gate }
        let stack = desk.stack()
        let (first, second) = (stack.poster(), stack.poster())
        first.loadData(with: [:])
        await until { desk.book.current.fetches == 1 }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        second.loadData(with: [:])
        await until { recorder.names.contains("waiting csrfToken") }
        first.cancelAllRequests()
        gate.open()
        await until { !first.isLoading && !second.isLoading }
        XCTAssertEqual(first.error?.kind, .cancelled)
        XCTAssertNotNil(second.output)
        XCTAssertEqual(desk.book.current.fetches, 1)
    }

    func testAClosureFetchesOverTheProxyOfTheCallAndWithoutATokenOfItsOwn() async throws {
        let transport = ClosureTransport { request in
            var response = TransportResponse(request, json: teapot)
            response.headers["X-CSRF-Token"] = "abc"
            return response
        }
        let proxies = Locked<[ApiProxy]>([])
        let stack = Stack(transport) {
            $0.csrf = CSRFProtection(header: "X-CSRF-Token") { proxy in
                proxies.withLock { $0.append(proxy) }
                let manager = ProductManager()
                manager.methodName = "fetch"
                manager.requestType = .post
                _ = try await manager.load(with: [:])
                return manager.response?.headers["X-CSRF-Token"] ?? ""
            }
        }
        _ = try await stack.poster().load(with: [:])
        XCTAssertEqual(transport.requests.map(\.url.path), ["/fetch", "/orders"])
        XCTAssertEqual(transport.requests.map { $0.headers["X-CSRF-Token"] }, [nil, "abc"])
        XCTAssertTrue(proxies.current.first === stack.proxy)
    }

    func testTheOnlySlotIsNoDeadlock() async throws {
        let desk = try desk()
        let stack = desk.stack { $0.limit = 1 }
        let errors = await stack.post(10)
        XCTAssertEqual(errors.map(\.description), [])
        XCTAssertEqual(desk.book.current.fetches, 1)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// The token endpoint needs an access token, and the refresh of that is a POST that needs a CSRF token.
    func testARefreshThatNeedsATokenIsNoDeadlock() async throws {
        let transport = ClosureTransport { request in
            switch request.url.path {
            case "/csrf": TransportResponse(request, json: #"{"result":"t"}"#)
            default: TransportResponse(request, json: teapot)
            }
        }
        let stack = Stack(transport) {
            $0.csrf = CSRFProtection(endpoint: "csrf", at: "result", header: "X-CSRFToken")
        }
        let session = TokenSession(policy: RefreshPolicy(ahead: 1)) { _, proxy in
            let manager = ProductManager()
            manager.proxy = proxy
            manager.methodName = "refresh"
            manager.requestType = .post
            manager.ownSessionUse = false
            _ = try await manager.load(with: [:])
            return SessionTokens(accessToken: "new", refreshToken: "r", user: "u")
        }
        session.adopt(
            SessionTokens(
                accessToken: "old", refreshToken: "r", expiry: Date(timeIntervalSince1970: 0), user: "u"))
        stack.change { $0.session = session }
        let managers = (0..<4).map { stack.poster("orders/\($0)") }
        for manager in managers { manager.loadData(with: [:]) }
        await until { !managers.contains { $0.isLoading } }
        XCTAssertEqual(managers.compactMap(\.output).count, 4)
        let refresh = transport.requests.filter { $0.url.path == "/refresh" }
        XCTAssertEqual(refresh.map { $0.headers["X-CSRFToken"] }, ["t"])
    }

    // MARK: Whose it is

    func testALogoutALoginAndAnotherUserNeedATokenOfTheirOwn() async throws {
        let desk = try desk()
        let session = TokenSession()
        let stack = desk.stack { $0.session = session }
        session.adopt(SessionTokens(accessToken: "a", user: "a"))
        _ = await stack.post(2)
        XCTAssertEqual(desk.book.current.fetches, 1)
        session.adopt(SessionTokens(accessToken: "b", user: "b"))
        _ = await stack.post(2)
        XCTAssertEqual(desk.book.current.fetches, 2)
        session.adopt(SessionTokens(accessToken: "b2", user: "b"))
        _ = await stack.post(2)
        XCTAssertEqual(desk.book.current.fetches, 3)
        try await session.logOut()
        let errors = await stack.post(2)
        XCTAssertEqual(desk.book.current.fetches, 4)
        XCTAssertEqual(errors.map(\.description), [])
    }

    /// Without a session, the jar tells users apart.
    func testAnEmptiedJarNeedsANewToken() async throws {
        let desk = try desk()
        let jar = CookieJar()
        let stack = desk.stack { $0.cookies = jar }
        _ = await stack.post(2)
        jar.removeAll()
        let errors = await stack.post(2)
        XCTAssertEqual(errors.map(\.description), [])
        let book = desk.book.current
        XCTAssertEqual([book.fetches, book.rejected], [2, 0])
    }

    func testARefreshKeepsTheToken() async throws {
        let desk = try desk()
        let date = Locked(Date(timeIntervalSince1970: 0))
        let session = TokenSession(
            policy: RefreshPolicy(ahead: 1),
            refresh: { tokens, _ in
                SessionTokens(accessToken: "new", refreshToken: tokens.refreshToken, user: tokens.user)
            }, now: { date.current })
        let stack = desk.stack { $0.session = session }
        session.adopt(
            SessionTokens(accessToken: "old", refreshToken: "r", expiry: date.current + 60, user: "u"))
        _ = await stack.post(1)
        date.current += 61
        _ = await stack.post(1)
        XCTAssertEqual(session.tokens?.accessToken, "new")
        XCTAssertEqual(desk.book.current.fetches, 1)
    }

    func testACallWhoseUserLeavesDoesNotWaitForAToken() async throws {
        let (desk, gate) = (try desk(), LoopbackGate())
        desk.book.withLock { $0.gate = gate }
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "a", user: "a"))
        let stack = desk.stack { $0.session = session }
        let manager = stack.poster()
        manager.loadData(with: [:])
        await until { desk.book.current.fetches == 1 }
        try await session.logOut()
        await until { !manager.isLoading }
        XCTAssertEqual(manager.error?.kind, .loginRequired)
        gate.open()
        let errors = await stack.post(1)
        XCTAssertEqual(errors.map(\.description), [])
        XCTAssertEqual(desk.book.current.fetches, 2, "the token of the user who left is not used")
    }

    func testEachEnvironmentHasATokenOfItsOwn() async throws {
        let desks = [Stage.live: try desk(prefix: "live"), .staging: try desk(prefix: "staging")]
        let service = CSRFStagedService(desks.mapValues(\.server.baseURL))
        let services = ServiceFactory()
        services.register([.test: { service }])
        let proxy = ApiProxy(transport: StandardTransport.make(), services: services)
        for stage in [Stage.live, .staging, .live] {
            service.environment.current = stage
            let manager = ProductManager()
            (manager.proxy, manager.requestType) = (proxy, .post)
            _ = try await manager.load(with: [:])
        }
        XCTAssertEqual(desks[.live]?.book.current.fetches, 1)
        XCTAssertEqual(desks[.staging]?.book.current.fetches, 1)
        XCTAssertEqual(desks[.live]?.book.current.rejected, 0)
        XCTAssertEqual(desks[.staging]?.book.current.rejected, 0)
    }

    // MARK: Users and hosts

    func testAFetchForAFormerUserThatEndsLateTakesNoTokenAway() async throws {
        let session = TokenSession(store: MemoryCredentialStore())
        let stack = Stack(ClosureTransport(json: teapot)) { $0.session = session }
        let configured = ServiceInstance(stack.service).configured
        let call = stack.poster().call([:])
        func owner() -> CSRFTokens.Owner {
            CSRFTokens.Owner(call, configured, nil, at: stack.service.baseURL)
        }
        let (tokens, gate) = (CSRFTokens(), Gate())
        session.adopt(SessionTokens(accessToken: "a", user: "a"))
        let former = owner()
        let late = Task {
            await tokens.token(
                of: former, newerThan: nil, for: call, onWait: { @Sendable _ in },
                fetch: {
                    await gate.pass()
                    return "a"
                })
        }
        await gate.arrival()
        session.adopt(SessionTokens(accessToken: "b", user: "b"))
        let current = owner()
        _ = await tokens.token(
            of: current, newerThan: nil, for: call, onWait: { @Sendable _ in }, fetch: { "b" })
        gate.open()
        _ = await late.value
        XCTAssertEqual(tokens.token(of: current)?.value, "b")
        XCTAssertNil(tokens.token(of: former), "a former user's token is not kept")
    }

    /// Each host has tokens of its own, in a cookie or from an endpoint.
    func testAnotherHostIsAskedForItsOwnToken() async throws {
        for isCookie in [false, true] {
            let desks = [try desk(prefix: "first"), try desk(prefix: "second")]
            // Two names of this machine: cookies do not know ports.
            let other = try XCTUnwrap(URL(string: "http://localhost:\(desks[1].server.port)"))
            let stack = desks[0].stack {
                $0.failover = FailoverPolicy(to: [other])
                if isCookie {
                    $0.csrf = CSRFProtection(cookie: "session", setBy: "csrf", header: "X-CSRFToken")
                }
            }
            if isCookie { for desk in desks { desk.book.withLock { $0.acceptsCookie = true } } }
            let first = await stack.post(1)
            XCTAssertEqual(first.map(\.description), [])
            desks[0].server.stop()
            let second = await stack.post(3)
            XCTAssertEqual(second.map(\.description), [])
            let book = desks[1].book.current
            XCTAssertEqual([book.fetches, book.accepted, book.rejected], [1, 3, 0], "\(isCookie)")
            XCTAssertFalse(book.withToken.contains { $0.contains("first") }, "\(book.withToken)")
        }
    }
}

private final class CSRFStagedService: EnvironmentService {
    let environment = EnvironmentSwitch(Stage.live)
    let hosts: [Stage: URL]
    let configuration = ServiceConfiguration(
        cookies: CookieJar(), csrf: CSRFProtection(endpoint: "csrf", at: "result", header: "X-CSRFToken"))

    convenience init() { self.init([:]) }
    init(_ hosts: [Stage: URL]) { self.hosts = hosts }

    func endpoint(in stage: Stage) -> ServiceEndpoint { ServiceEndpoint(baseURL: hosts[stage]!) }
}
