import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

private final class AddManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "cart/add"
    let requestType = HTTPMethod.post
    override func invalidates(with params: Params) -> [StaleOutput] { [StaleOutput(ProductManager())] }
}

private struct Item: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

private final class ItemManager: APIManager<Item> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "item"
    let requestType = HTTPMethod.get
    override var cachePolicy: CachePolicy { .memory }
}

private final class RenameManager: APIManager<NoContent>, APIManagerInterceptor {
    let serviceIdentifier = ServiceIdentifier.test
    var methodName: String { "rename/{n}" }
    let requestType = HTTPMethod.post
    func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
        // For instance: reports the tap as well.
        if params["n"]?.int == 1 { loadData(with: ["n": 2]) }
    }
}

private final class SlowCarrier: CallCarrier {
    let begunRequest: APIRequest? = nil
    func isInterim(_ error: any Error) -> Bool { false }
    func send(_ request: APIRequest) async throws -> TransportResponse {
        try await SystemClock().sleep(for: 0.5)
        return TransportResponse(request, json: teapot)
    }
}

private final class NoPlugin: APIPlugin {}

/// What one call leaves alone: the next attempt, the call that a hook makes, the endpoint that a sample stands for.
@MainActor
final class CallBoundaryTests: XCTestCase {
    func testNoProgressIsToldAfterTheEnd() async {
        var told: [Int64] = []
        var reporter: ProgressReporter?
        let made = ProgressReporter(tell: { progress in
            told.append(progress.received)
            // The transport goes on while the handler runs.
            if progress.received == 1 { reporter?.report(received: 2, of: nil) }
        })
        reporter = made
        made.report(received: 1, of: nil)
        made.end()
        let atEnd = told
        for _ in 0..<50 { await Task.yield() }
        XCTAssertEqual(told, atEnd, "nothing is told after the outcome")
    }

    func testACallThatEndedBeforeItStartedIsNotTracked() async {
        let stack = Stack(ClosureTransport(json: teapot))
        let manager = stack.manager(ProductManager())
        // As a subscriber of `isLoadingPublisher` does, when `send` adds the call to the state of the manager.
        let pending = PendingCall(manager.call([:]), proxy: stack.proxy, owner: manager)
        pending.cancel()
        pending.start()
        XCTAssertEqual(stack.proxy.requestIDs, [])
    }

    func testACarriedCallHasNoTimeoutOfAnAttemptIfThereArePlugins() async throws {
        for plugins in [[], [NoPlugin()]] as [[any APIPlugin]] {
            let stack = Stack(ClosureTransport(json: teapot)) { $0.timeout = 0.1 }
            stack.proxy.plugins = plugins
            let outcome = await stack.manager(ProductManager()).load(
                with: [:], for: CallIdentity(user: nil, environment: nil), key: IdempotencyKey(),
                over: SlowCarrier())
            guard case .succeeded = outcome else {
                XCTFail("\(plugins.count) plugins: \(outcome)")
                continue
            }
        }
    }

    func testTheResponseToAnAttemptThatWasGivenUpIsNotRecordedAsThatOfTheNext() async throws {
        let (old, new) = (Gate(), Gate())
        let count = Locked(0)
        let transport = ClosureTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            await (number == 1 ? old : new).pass()
            return TransportResponse(request, json: teapot, status: number == 1 ? 404 : 200)
        }
        let stack = Stack(transport) {
            $0.timeout = 0.3
            $0.retry = RetryPolicy(attempts: 2, base: 0)
        }
        stack.proxy.plugins = [NoPlugin()]
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let manager = stack.manager(ProductManager())
        manager.loadData(with: [:])
        await new.arrival()
        old.open()
        let clock = SystemClock()
        let end = clock.uptime + 0.1
        while clock.uptime < end { await Task.yield() }
        new.open()
        await until { !manager.isLoading }
        XCTAssertNil(manager.error)
        let names = recorder.names
        XCTAssertFalse(names.contains("received 404"), "\(names)")
    }

    func testACallThatDidCallStartsDoesNotDecideAboutTheChangesOfTheFirst() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            if request.url.path == "/rename/1" { await gate.pass() }
            return TransportResponse(request, json: "{}", status: request.url.path == "/rename/2" ? 500 : 200)
        }
        let stack = Stack(transport)
        let items = stack.manager(ItemManager())
        try await items.cache.store(Item(id: 1, name: "old"), for: [:])
        let rename = stack.manager(RenameManager())
        let load = Task {
            try await rename.load(with: ["n": 1]) { cache in
                cache.update(ItemManager(), with: [:]) { $0.name = "new" }
            }
        }
        await gate.arrival()
        await until { rename.error != nil }
        let shown = try await items.cache.output(with: [:])
        XCTAssertEqual(shown?.name, "new", "the call that shows the change has not ended")
        gate.open()
        _ = try await load.value
        let kept = try await items.cache.output(with: [:])
        XCTAssertEqual(kept?.name, "new", "the call has succeeded")
    }

    func testASampleSaysNothingAboutTheEndpoint() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.breaker = CircuitBreakerPolicy(threshold: 2) }
        let preview = stack.manager(ProductManager())
        preview.ownSample = .json(["a": 1], status: 500)
        preview.sampleMode = .immediate
        for _ in 0..<3 { _ = await failure(preview) }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertNil(error, "the backend was never asked")
    }

    func testALaterAttemptThatIsRejectedDoesNotHideThatAnEarlierOneMayHaveActed() async throws {
        let posts = Locked(0)
        let transport = ClosureTransport { request in
            guard request.method == .post else { return TransportResponse(request, json: teapot) }
            let number = posts.withLock { count in
                count += 1
                return count
            }
            if number == 1 { throw TransportError(.timedOut, message: "No response.") }
            return TransportResponse(request, json: "{}", status: 409)
        }
        let stack = Stack(transport) {
            $0.intercept = { $0.error.kind == .timedOut ? .retry(after: 0) : .report }
        }
        let manager = stack.manager(ProductManager())
        manager.ownCache = .memory
        _ = try await manager.load(with: [:])
        let error = await failure(stack.manager(AddManager()))
        XCTAssertEqual(error?.kind, .http(status: 409))
        let cached = try await manager.cache.output(with: [:], maxAge: .infinity)
        XCTAssertNil(cached, "the first attempt may have changed it")
    }

    func testASwallowedFailureOfACallThatMayHaveActedMakesResponsesStale() async throws {
        let transport = ClosureTransport { request in
            TransportResponse(request, json: teapot, status: request.method == .get ? 200 : 500)
        }
        for disposition in [.report, .swallow, .degrade(until: Date(timeIntervalSince1970: 1_704_067_260))]
            as [FailureDisposition]
        {
            let stack = Stack(transport) { $0.intercept = { _ in disposition } }
            let manager = stack.manager(ProductManager())
            manager.ownCache = .memory
            _ = try await manager.load(with: [:])
            _ = try? await stack.manager(AddManager()).load(with: [:])
            let cached = try await manager.cache.output(with: [:], maxAge: .infinity)
            XCTAssertNil(cached, "\(disposition)")
        }
    }
}
