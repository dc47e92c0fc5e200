import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Calls that do not wait for a slot, and what a call that has waited is sent with.
extension CallQueueTests {
    func testCachedAndSharedResponsesNeedNoSlot() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            if request.url.path == "/busy" { await gate.pass() }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.limit = 1 }
        let cached = manager(stack, "a")
        cached.ownCache = CachePolicy(.cacheFirst)
        _ = try await cached.load(with: [:])
        let (busy, same) = (manager(stack, "busy"), manager(stack, "busy"))
        (busy.sharing, same.sharing) = (true, true)
        busy.loadData(with: [:])
        await gate.arrival()
        _ = try await cached.load(with: [:])
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        same.loadData(with: [:])
        await until {
            recorder.events.current.contains { if case .joined = $0.kind { true } else { false } }
        }
        gate.open()
        await until { !busy.isLoading && !same.isLoading }
        XCTAssertEqual(names(transport), ["a", "busy"])
        XCTAssertNotNil(same.output)
    }

    /// The call that waits for the refresh must not be what the refresh waits for.
    func testARefreshNeverWaitsForTheCallsThatWaitForIt() async throws {
        let gates = ["/a": Gate(), "/b": Gate()]
        let transport = ClosureTransport { request in
            await gates[request.url.path]?.pass()
            let isOld = request.headers["Authorization"] == "Bearer old"
            return TransportResponse(request, json: teapot, status: isOld ? 401 : 200)
        }
        let stack = Stack(transport) { $0.limit = 1 }
        let session = TokenSession(refresh: { _, proxy in
            let refresh = ProductManager()
            refresh.proxy = proxy
            refresh.methodName = "refresh"
            refresh.ownSessionUse = false
            _ = try await refresh.load(with: [:])
            return SessionTokens(accessToken: "new", refreshToken: "r")
        })
        session.adopt(SessionTokens(accessToken: "old", refreshToken: "r"))
        stack.change { $0.session = session }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (first, second) = (manager(stack, "a"), manager(stack, "b"))
        first.loadData(with: [:])
        await gates["/a"]?.arrival()
        await start(second, after: recorder)
        // The first is refused; the second takes its slot, and keeps it.
        gates["/a"]?.open()
        await gates["/b"]?.arrival()
        await until { names(transport).contains("refresh") }
        gates["/b"]?.open()
        await until { !first.isLoading && !second.isLoading }
        XCTAssertEqual([first.output?.id, second.output?.id], [7, 7])
        XCTAssertEqual(names(transport).filter { $0 == "refresh" }.count, 1)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// Tokens that were renewed while a call waited.
    func testACallThatHasWaitedIsSentWithTheTokensOfNow() async throws {
        let gate = Gate()
        let transport = held(gate)
        let stack = Stack(transport) {
            $0.limit = 1
            $0.session = TokenSession()
        }
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "old", user: "u"))
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let busy = manager(stack, "busy")
        busy.loadData(with: [:])
        await gate.arrival()
        let waiting = manager(stack, "b")
        await start(waiting, after: recorder)
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "new", user: "u"))
        gate.open()
        await until { !waiting.isLoading }
        XCTAssertEqual(transport.requests.map { $0.headers["Authorization"] }, ["Bearer old", "Bearer new"])
    }

    /// A service that asks its backend for a nonce before it signs.
    func testCallsMadeForARequestDoNotWaitForIt() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.limit = 1 }
        stack.change {
            $0.adapt = { [proxy = stack.proxy] _, call in
                guard call.methodName != "nonce" else { return }
                _ = try await { @MainActor in
                    let nonce = ProductManager()
                    nonce.methodName = "nonce"
                    nonce.proxy = proxy
                    return try await nonce.load(with: [:])
                }()
            }
        }
        let managers = (1...4).map { manager(stack, "a\($0)") }
        for manager in managers { manager.loadData(with: [:]) }
        await until { !managers.contains { $0.isLoading } }
        XCTAssertEqual(managers.compactMap(\.output).count, 4)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    func testAStreamMakesRoomWhenItBegins() async throws {
        let body = HandFedBody()
        let transport = ClosureTransport { request in
            request.url.path == "/news"
                ? TransportResponse(url: request.url, status: 200, body: body.body)
                : TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.limit = 1 }
        let news = stack.manager(TestManager<ByteStream>())
        news.methodName = "news"
        let stream = try await news.load(with: [:])
        _ = try await manager(stack, "a").load(with: [:])
        body.end()
        for try await _ in stream {}
    }

    /// What waits is not sent to an endpoint that has failed meanwhile.
    func testACallThatHasWaitedAsksTheBreakerAnew() async throws {
        let gate = Gate()
        let transport = ClosureTransport { _ in
            await gate.pass()
            throw TransportError.lost
        }
        let stack = Stack(transport) {
            $0.limit = 1
            $0.breaker = CircuitBreakerPolicy(threshold: 1)
        }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (first, second) = (manager(stack, "a"), manager(stack, "a"))
        first.loadData(with: [:])
        await gate.arrival()
        await start(second, after: recorder)
        gate.open()
        await until { !second.isLoading }
        guard case .degraded? = second.error?.kind else {
            return XCTFail("\(String(describing: second.error))")
        }
        XCTAssertEqual(transport.requests.count, 1)
    }
}
