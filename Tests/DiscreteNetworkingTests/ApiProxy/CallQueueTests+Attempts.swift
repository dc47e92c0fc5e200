import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Which attempt a slot belongs to, and what is done without one.
extension CallQueueTests {
    /// A plugin whose processing of responses a test gives.
    struct Processing: APIPlugin {
        let work: @Sendable (APICall) async throws -> Void

        func process(_ response: inout APIResponse, for call: APICall) async throws { try await work(call) }
    }

    /// The transport of this test ignores that it is canceled.
    func testALateResponseDoesNotReleaseTheSlotOfTheNextAttempt() async throws {
        let gates = [Gate(), Gate()]
        let count = Locked(0)
        let transport = ClosureTransport { request in
            if request.url.path == "/a" {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                await gates[number - 1].pass()
            }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) {
            $0.limit = 1
            $0.retry = RetryPolicy(attempts: 2)
            $0.timeout = .infinity
            // A call keeps the configuration that it began with, so that only the request can tell its attempts apart.
            $0.adapt = { request, call in if call.attempt == 1 { request.timeout = 0.5 } }
        }
        let late = Locked(false)
        stack.proxy.plugins = [Processing { call in if call.methodName == "a" { late.current = true } }]
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (repeated, other) = (manager(stack, "a"), manager(stack, "b"))
        repeated.loadData(with: [:])
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 100)
        await gates[1].arrival()
        await start(other, after: recorder)
        gates[0].open()
        await until { late.current }
        XCTAssertEqual(stack.proxy.queue.count, 2, "the second attempt, and the call that waits")
        gates[1].open()
        await until { !repeated.isLoading && !other.isLoading && stack.proxy.queue.count == 0 }
    }

    /// A plugin that asks the same service about a failure.
    func testCallsMadeForTheRefusalOfAStreamDoNotWaitForIt() async throws {
        let transport = ClosureTransport { request in
            TransportResponse(request, json: teapot, status: request.url.path == "/news" ? 500 : 200)
        }
        let stack = Stack(transport) { $0.limit = 1 }
        stack.proxy.plugins = [
            Processing { [proxy = stack.proxy] call in
                guard call.methodName == "news" else { return }
                _ = try await { @MainActor in
                    let help = ProductManager()
                    help.methodName = "help"
                    help.proxy = proxy
                    return try await help.load(with: [:])
                }()
            }
        ]
        let news = stack.manager(TestManager<ByteStream>())
        news.methodName = "news"
        news.ownTimeout = 5
        let error = await failure(news, with: [:])
        XCTAssertEqual(error?.kind, .http(status: 500))
        XCTAssertEqual(names(transport), ["news", "help"])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// A response with a rejected token that a plugin is about to change: no other call is sent with that token.
    func testACallWithARejectedTokenHasItsSlotWhileAPluginChangesItsResponse() async throws {
        let issuer = Issuer(uses: .max, first: 1)
        issuer.expire()
        issuer.gate.open()
        let (session, transport, gate) = (issuer.session(), issuer.transport, Gate())
        let stack = Stack(transport) {
            $0.limit = 1
            $0.session = session
        }
        let responses = Locked(0)
        stack.proxy.plugins = [
            Processing { _ in
                let count = responses.withLock { count in
                    count += 1
                    return count
                }
                if count == 1 { await gate.pass() }
            }
        ]
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (rejected, other) = (manager(stack, "a"), manager(stack, "b"))
        rejected.loadData(with: [:])
        await gate.arrival()
        await start(other, after: recorder)
        gate.open()
        await until { !rejected.isLoading && !other.isLoading }
        XCTAssertEqual([rejected, other].compactMap(\.output?.id), [7, 7])
        XCTAssertEqual(issuer.rejected, ["t1": 1])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    func testADownloadHasItsSlotUntilItIsComplete() async throws {
        let body = HandFedBody()
        let transport = ClosureTransport { request in
            request.url.path == "/film"
                ? TransportResponse(url: request.url, status: 200, body: body.body)
                : TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.limit = 1 }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let film = stack.manager(TestManager<DownloadedFile>())
        film.methodName = "film"
        film.loadData(with: [:])
        await until { recorder.names.contains("received 200") }
        let other = manager(stack, "a")
        await start(other, after: recorder)
        XCTAssertEqual(stack.proxy.queue.count, 2)
        body.end()
        await until { !film.isLoading && !other.isLoading }
        XCTAssertNotNil(film.output)
        XCTAssertNotNil(other.output)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// A call that goes on at another host has no slot twice.
    func testAFailOverStaysWithinTheLimit() async throws {
        let running = Locked((now: 0, most: 0))
        let transport = ClosureTransport { request in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 1...5 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            guard request.url.host == "b.example.com" else { throw TransportError.lost }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) {
            $0.limit = 2
            $0.failover = FailoverPolicy(to: [URL(string: "https://b.example.com")!], pause: 0.001)
        }
        let managers = (0..<40).map { manager(stack, "a\($0)") }
        for manager in managers { manager.loadData(with: [:]) }
        await until { !managers.contains { $0.isLoading } }
        XCTAssertEqual(managers.compactMap(\.output).count, 40)
        XCTAssertLessThanOrEqual(running.current.most, 2)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }
}
