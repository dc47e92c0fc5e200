import DiscreteNetworkingSigning
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// Why no cached response was used: as the observers, the log and the recordings say it.
@MainActor
final class MissReasonTests: XCTestCase {
    private struct TraceIDs: APIPlugin {
        func adapt(_ request: inout APIRequest, for call: APICall) {
            request.headers["X-Trace"] = UUID().uuidString
        }
    }

    private let lines = Locked<[String]>([])
    private let recorder = TrafficRecorder()

    private func stack(
        _ transport: any Transport, _ detail: APILogger.Detail = .summary,
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> Stack {
        let stack = Stack(transport, change).observed(by: recorder)
        stack.proxy.addObserver(APILogger(detail) { [lines] line in lines.withLock { $0.append(line) } })
        return stack
    }

    private func checkTrace(over transport: any Transport) async throws {
        let server = try serve { _ in .json(teapot) }
        let stack = stack(transport) { $0.baseURL = server.baseURL }
        stack.proxy.plugins = [TraceIDs()]
        let manager = stack.manager(keeping: .memory)
        _ = try await manager.load(with: ["id": 7])
        _ = try await manager.load(with: ["id": 7])

        XCTAssertEqual(lines.current.count, 2)
        XCTAssertFalse(lines.current[0].contains("cache"), lines.current[0])
        XCTAssertTrue(
            lines.current[1].hasSuffix(" ms, not in the cache: header X-Trace differs"), lines.current[1])
        let log = try XCTUnwrap(recorder.archive()["log"])
        XCTAssertEqual(HARSchema.problems(of: recorder.archive()), [])
        XCTAssertEqual(log["pages"]?[1]?["comment"], "Not in the cache: header X-Trace differs.")
        XCTAssertEqual(log["entries"]?[1]?["comment"], "Not in the cache: header X-Trace differs.")
        let step = log["pages"]?[1]?["_steps"]?.array?.first { $0["name"] == "notInCache" }
        XCTAssertEqual(step?["text"], "header X-Trace differs")
    }

    func testAHeaderThatIsNewInEachCallIsNamedOverTheStandardTransport() async throws {
        try await checkTrace(over: StandardTransport.make())
    }

    func testAHeaderThatIsNewInEachCallIsNamedOverURLSession() async throws {
        try await checkTrace(over: URLSessionTransport())
    }

    func testARetryDoesNotRepeatTheComment() async throws {
        let stack = stack(ClosureTransport.counting { $0 == 1 }) { rules in
            rules.intercept = { $0.attempt == 1 ? .retry : .report }
        }
        _ = try await stack.manager(keeping: .memory).load()
        let log = try XCTUnwrap(recorder.archive()["log"])
        let comment: JSONValue =
            "Not in the cache: no response was cached for this method and path in this run."
        XCTAssertEqual(log["pages"]?[0]?["comment"], comment)
        XCTAssertEqual(log["entries"]?.array?.map { $0["comment"] }, [comment, nil])
    }

    func testATimestampInTheExtraParamsIsNamed() async throws {
        for method in [HTTPMethod.get, .post] {
            lines.current = []
            let stack = stack(ClosureTransport.counting(), .full)
            let manager = stack.manager(keeping: .memory)
            manager.requestType = method
            for number in 1...2 {
                stack.change { $0.extraParams = ["ts": number] }
                _ = try await manager.load(with: ["id": 7])
            }
            let found = lines.current.filter { $0.contains(" not in the cache: param ts differs") }
            XCTAssertEqual(found.count, 1, "\(method): \(lines.current)")
        }
    }

    func testWhyARequestIsNotSharedIsNamed() async throws {
        let gate = Gate()
        let stack = stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            }
        ) { $0.sharing = true }
        stack.proxy.plugins = [TraceIDs()]
        let manager = stack.manager(ProductManager())
        let first = Task { try await manager.load(with: ["id": 7]) }
        await gate.arrival(1)
        let second = Task { try await manager.load(with: ["id": 7]) }
        await gate.arrival(2)
        gate.open()
        for load in [first, second] { _ = try await load.value }
        XCTAssertEqual(lines.current.filter { $0.hasSuffix(", not shared: header X-Trace differs") }.count, 1)
        let entries = recorder.archive()["log"]?["entries"]?.array ?? []
        XCTAssertEqual(
            entries.map { $0["comment"] }, [nil, "Not shared: header X-Trace differs."])
    }

    private static let secret = "s3cr3t-v4lue"

    /// The reasons for which calls missed the cache, in their order.
    private func reasons(_ events: EventTests.Recorder) -> [MissReason] {
        events.events.current.compactMap { if case .notInCache(let reason) = $0.kind { reason } else { nil } }
    }

    /// - Parameter change: Changes the stack or the manager before the second call.
    private func second(
        _ policy: CachePolicy = .memory, headers: HTTPFields = [:],
        _ change: (Stack, ProductManager) async throws -> Void
    ) async throws -> [MissReason] {
        let stack = Stack(ClosureTransport.counting(headers: headers))
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        let manager = stack.manager(keeping: policy)
        manager.ownHeaders = ["X-Kind": "tea"]
        _ = try await manager.load(with: ["id": 7])
        try await change(stack, manager)
        _ = try await manager.load(with: ["id": 7])
        return reasons(events)
    }

    func testEachReasonIsTold() async throws {
        let hit = try await second { _, _ in }
        XCTAssertEqual(hit, [.nothingStored])
        let late = try await second { stack, _ in stack.clock.advance(by: 181) }
        XCTAssertEqual(late, [.nothingStored, .expired(age: 181)])
        let back = try await second { stack, _ in stack.clock.now -= 60 }
        XCTAssertEqual(back, [.nothingStored, .expired(age: -60)])
        let version = try await second { stack, _ in stack.change { $0.cacheVersion = "2" } }
        XCTAssertEqual(version, [.nothingStored, .otherVersion])
        let gone = try await second { stack, _ in await stack.proxy.caches.remove(.all) }
        XCTAssertEqual(gone, [.nothingStored, .removed])
        for headers in [["Cache-Control": "private, no-store"], ["Vary": "*"]] as [HTTPFields] {
            let forbidden = try await second(headers: headers) { _, _ in }
            XCTAssertEqual(forbidden, [.nothingStored, .storingForbidden])
        }
        let varies = try await second(headers: ["Vary": "Accept, x-kind"]) { stack, manager in
            stack.change { $0.varying = VaryingFields(headers: ["X-Kind"]) }
            _ = try await manager.load(with: ["id": 7])
            manager.ownHeaders = ["X-Kind": "coffee"]
        }
        XCTAssertEqual(varies.last, .varies(with: [.header("X-Kind")]))
    }

    func testAStoredResponseThatIsNoLongerReadIsTold() async throws {
        let stack = Stack(ClosureTransport.counting())
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        let manager = stack.manager(keeping: .memory)
        _ = try await manager.load()
        stack.change { $0.envelope = Envelope(payload: "nowhere") }
        _ = await failure(manager)
        XCTAssertEqual(reasons(events), [.nothingStored, .unreadable])
    }

    func testABodyThatIsAFileIsTold() async throws {
        let stack = Stack(ClosureTransport.counting())
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        let manager = stack.manager(keeping: .memory)
        stack.change { rules in
            rules.adapt = { request, _ in request.body = .file(URL(fileURLWithPath: #filePath)) }
        }
        manager.requestType = .post
        _ = try await manager.load()
        XCTAssertEqual(reasons(events), [.incomparable("its body is a file or a stream")])
    }

    func testThePartsThatDifferHaveNames() async throws {
        let cases: [([RequestPart], (Stack, ProductManager) -> Void)] = [
            ([.header("X-Kind")], { $1.ownHeaders = ["X-Kind": Self.secret] }),
            ([.header("X-Kind"), .header("X-More")], { $1.ownHeaders = ["X-More": Self.secret] }),
            ([.param("q")], { stack, _ in stack.change { $0.extraParams = ["q": Self.secret] } }),
            ([.server], { stack, _ in stack.change { $0.baseURL = URL(string: "https://b.example.com")! } }),
            ([.cacheIdentity], { stack, _ in stack.change { $0.user = Self.secret } }),
            (
                [.signingKey],
                { stack, _ in
                    stack.change { $0.signer = HMACSigner(key: SigningKey(Self.secret)) }
                }
            ),
            (
                [.header("Authorization"), .credential],
                { stack, _ in stack.change { $0.credential = .basic(user: "casa", password: Self.secret) } }
            ),
        ]
        for (parts, change) in cases {
            let found = try await second { stack, manager in change(stack, manager) }
            XCTAssertEqual(found, [.nothingStored, .differs(parts)])
            XCTAssertFalse("\(found)".contains(Self.secret))
        }
    }

    func testOtherMethodsAndPathsAreOtherResources() async throws {
        let method = try await second { $1.requestType = .post }
        XCTAssertEqual(method, [.nothingStored, .nothingStored])
        let path = try await second { $1.methodName = "products/list" }
        XCTAssertEqual(path, [.nothingStored, .nothingStored])
    }

    func testAnotherUserIsNamed() async throws {
        let session = TokenSession()
        let stack = Stack(ClosureTransport.counting()) { $0.session = session }
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        let manager = stack.manager(keeping: .memory)
        for user in ["casa", "tigerhu"] {
            session.adopt(SessionTokens(accessToken: Self.secret + user, user: user))
            _ = try await manager.load()
        }
        XCTAssertEqual(reasons(events), [.nothingStored, .differs([.user])])
        session.adopt(SessionTokens(accessToken: "another", user: "casa"))
        _ = try await manager.load()
        XCTAssertEqual(reasons(events).count, 2, "another token of the user is no difference")
    }

    func testAnotherEnvironmentIsNamed() async throws {
        let shared = [URL(string: "https://api.example.com")!]
        let service = StagedService(hosts: [.staging: shared, .live: shared], hasVersion: false)
        service.sendsStage.current = false
        let services = ServiceFactory()
        services.register([.test: { service }])
        let proxy = ApiProxy(
            transport: ClosureTransport(json: #"{"stage":"any"}"#), services: services,
            caches: CacheTiers(disk: NoCache()), reachability: ManualReachability())
        let events = EventTests.Recorder()
        proxy.addObserver(events)
        for stage in [Stage.live, .staging] {
            service.environment.current = stage
            let manager = StagedManager(cache: .memory)
            manager.proxy = proxy
            _ = try await manager.load(with: ["number": 1])
        }
        XCTAssertEqual(
            reasons(events), [.nothingStored, .differs([.environment, .user])], "with tokens of its own")
    }

    func testPoliciesThatAskTheServerFirstTellItWhenTheyLook() async throws {
        let revalidated = try await second(CachePolicy(.revalidate)) { $1.ownHeaders = [:] }
        XCTAssertEqual(revalidated, [.nothingStored, .differs([.header("X-Kind")])])
        let first = try await second(CachePolicy(.networkFirst)) { $1.ownHeaders = [:] }
        XCTAssertEqual(first, [], "the network answered")
        let stack = Stack(ClosureTransport.counting { $0 > 1 })
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        let manager = stack.manager(keeping: CachePolicy(.networkFirst))
        _ = try await manager.load(with: ["id": 7])
        _ = await failure(manager, with: ["id": 8])
        XCTAssertEqual(reasons(events), [.differs([.param("id")])])
    }

    /// Hits, and calls that nobody observes, cost nothing.
    func testNothingIsRememberedForNobody() async throws {
        let stack = Stack(ClosureTransport.counting()) { $0.sharing = true }
        let manager = stack.manager(keeping: .memory)
        for _ in 1...2 { _ = try await manager.load() }
        XCTAssertEqual(stack.proxy.storedRequests.count, 0)
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        stack.service.identities.current = 0
        for _ in 1...2 { _ = try await manager.load() }
        XCTAssertEqual(stack.proxy.storedRequests.count, 0)
        _ = try await manager.load(with: ["id": 8])
        XCTAssertEqual(stack.proxy.storedRequests.count, 1)
        XCTAssertEqual(stack.service.identities.current, 3, "the service is asked once for each call")
        manager.ownCache = .none
        _ = try await manager.load(with: ["id": 9])
        XCTAssertEqual(reasons(events), [.nothingStored])
    }
}
