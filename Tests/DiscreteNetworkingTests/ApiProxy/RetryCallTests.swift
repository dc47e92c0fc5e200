import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Retry policies, debounce, breakers and reachability, as calls meet them.
@MainActor
final class RetryCallTests: XCTestCase {
    /// Answers with these statuses, one after the other, and then with the last.
    private nonisolated static func statuses(_ statuses: Int..., headers: HTTPFields = [:])
        -> ClosureTransport
    {
        let left = Locked(statuses)
        return ClosureTransport { request in
            let status = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return TransportResponse(
                url: request.url, status: status, headers: headers, body: .data(Data(teapot.utf8)))
        }
    }

    /// Lets a call go on that waits for the clock.
    private func pass(_ seconds: TimeInterval, _ stack: Stack) async {
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: seconds)
    }

    func testAFailureIsRetriedAfterAPause() async throws {
        let transport = Self.statuses(503, 500, 200)
        let stack = Stack(transport) { $0.retry = .standard }
        let manager = stack.manager(ProductManager())
        let task = Task { try await manager.load() }
        await pass(0.49, stack)
        XCTAssertEqual(transport.requests.count, 1)
        await pass(0.02, stack)
        await until { transport.requests.count == 2 }
        await pass(1.01, stack)
        let product = try await task.value
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(transport.requests.count, 3)
    }

    func testRetriesEndAfterTheLastAttempt() async {
        let transport = Self.statuses(503)
        let stack = Stack(transport, random: 0) { $0.retry = .standard }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .http(status: 503))
        XCTAssertEqual(transport.requests.count, 3)
    }

    func testAManagerSaysOtherwise() async {
        let transport = Self.statuses(503)
        let stack = Stack(transport, random: 0) { $0.retry = .standard }
        let manager = stack.manager(ProductManager())
        manager.ownRetry = .never
        _ = await failure(manager)
        XCTAssertEqual(transport.requests.count, 1)
        stack.change { $0.retry = .never }
        manager.ownRetry = .standard
        _ = await failure(manager)
        XCTAssertEqual(transport.requests.count, 4)
    }

    func testRetriesOfThePolicyDoNotCountForTheServicesLimit() async throws {
        let transport = Self.statuses(503, 503, 418, 200)
        let stack = Stack(transport, random: 0) { rules in
            rules.retry = .standard
            rules.retryLimit = 1
            rules.intercept = { $0.response?.status == 418 ? .retry : .report }
        }
        let product = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(transport.requests.count, 4)
    }

    func testUnsafeMethodIsNotRetriedByDefault() async {
        let transport = Self.statuses(503)
        let stack = Stack(transport, random: 0) { $0.retry = .standard }
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        _ = await failure(manager)
        XCTAssertEqual(transport.requests.count, 1)
        manager.ownRetry = .standard
        manager.ownRetry?.retriesUnsafeMethods = true
        _ = await failure(manager)
        XCTAssertEqual(transport.requests.count, 4)
    }

    func testAWaitingCallIsCancelled() async {
        let transport = Self.statuses(503)
        let stack = Stack(transport) { $0.retry = .standard }
        let manager = stack.manager(ProductManager())
        let screen = Screen()
        manager.delegate = screen
        manager.loadData()
        await until { stack.clock.sleepers == 1 }
        manager.cancelAllRequests()
        await until { screen.events == ["failure"] }
        XCTAssertEqual(manager.error?.kind, .cancelled)
        await until { stack.clock.sleepers == 0 }
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testTheServersWordIsHeeded() async throws {
        let transport = Self.statuses(503, 200, headers: ["Retry-After": "7"])
        let stack = Stack(transport, random: 0) { $0.retry = .standard }
        let manager = stack.manager(ProductManager())
        let task = Task { try await manager.load() }
        await pass(6.9, stack)
        XCTAssertEqual(transport.requests.count, 1)
        await pass(0.2, stack)
        _ = try await task.value
        XCTAssertEqual(transport.requests.count, 2)
    }

    // MARK: Debounce

    func testOnlyTheLastOfManyLettersGoesOut() async throws {
        let transport = Self.statuses(200)
        let stack = Stack(transport)
        let manager = stack.manager(ProductManager())
        manager.policy = .debounce(0.3)
        let screen = Screen()
        manager.delegate = screen
        for letter in ["t", "te", "tea"] {
            manager.loadData(with: ["q": letter])
            await until { stack.clock.sleepers == 1 }
            stack.clock.advance(by: 0.2)
        }
        stack.clock.advance(by: 0.11)
        await until { screen.events.count == 3 }
        XCTAssertEqual(screen.events.filter { $0 == "success" }.count, 1)
        XCTAssertEqual(transport.requests.map(\.url.query), ["q=tea"])
        XCTAssertNil(manager.error)
    }

    // MARK: Degradation

    func testAnEndpointThatKeepsFailingIsNotCalledForAWhile() async throws {
        let transport = Self.statuses(500, 500, 500, 200)
        let policy = CircuitBreakerPolicy(window: 60, threshold: 3, openDuration: 30)
        let stack = Stack(transport) { $0.breaker = policy }
        let manager = stack.manager(ProductManager())
        for _ in 0..<3 { _ = await failure(manager) }
        let error = await failure(manager)
        guard case .degraded(let date?)? = error?.kind else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(date.timeIntervalSince(stack.clock.now), 30, accuracy: 0.001)
        XCTAssertEqual(transport.requests.count, 3)
        let other = stack.manager(ProductManager())
        other.methodName = "products/other"
        let product = try await other.load()
        XCTAssertEqual(product.id, 7)
        stack.clock.advance(by: 31)
        _ = try await manager.load()
        _ = try await manager.load()
        XCTAssertEqual(transport.requests.count, 6)
    }

    func testACancelledTrialIsGivenBack() async throws {
        let count = Locked(0)
        let transport = ClosureTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // Ends with the cancellation.
            if number == 2 { try await Task.sleep(nanoseconds: 3_600_000_000_000) }
            return TransportResponse(request, json: teapot, status: number == 1 ? 500 : 200)
        }
        let policy = CircuitBreakerPolicy(window: 60, threshold: 1, openDuration: 30)
        let stack = Stack(transport) { $0.breaker = policy }
        let manager = stack.manager(ProductManager())
        _ = await failure(manager)
        stack.clock.advance(by: 31)
        manager.loadData()
        await until { count.current == 2 }
        manager.cancelAllRequests()
        // Until the cancellation has reached the transport, the trial is out.
        var product: Product?
        for _ in 0..<100_000 where product == nil {
            product = try? await manager.load()
            await Task.yield()
        }
        XCTAssertEqual(product?.id, 7, "The trial is still out after 100,000 calls.")
    }

    func testTheServiceSaysThatAnEndpointIsDegraded() async throws {
        let transport = Self.statuses(200, 503)
        let stack = Stack(transport)
        let until = stack.clock.now.addingTimeInterval(100)
        stack.change {
            $0.intercept = { $0.response?.status == 503 ? .degrade(until: until) : .report }
        }
        let manager = stack.manager(ProductManager())
        manager.ownCache = CachePolicy(memory: 10, staleIfError: 50)
        _ = try await manager.load()
        stack.clock.advance(by: 11)
        let second = try await manager.load()
        XCTAssertEqual(second.id, 7, "stale, in place of .degraded")
        XCTAssertEqual(transport.requests.count, 2)
        manager.ownCache = .none
        let error = await failure(manager)
        guard case .degraded(let date?)? = error?.kind else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(date.timeIntervalSince(until), 0, accuracy: 0.01)
        XCTAssertEqual(transport.requests.count, 2)
        stack.clock.advance(by: 90)
        let last = await failure(manager)
        guard case .degraded? = last?.kind else { return XCTFail("\(String(describing: last))") }
        XCTAssertEqual(transport.requests.count, 3)
        XCTAssertEqual(last?.underlying?.kind, .http(status: 503))
    }

    func testAnAppDegradesAWholeService() async throws {
        let transport = Self.statuses(200)
        let stack = Stack(transport)
        stack.proxy.degrade(.test, until: stack.clock.now.addingTimeInterval(10))
        let error = await failure(stack.manager(ProductManager()))
        guard case .degraded? = error?.kind else { return XCTFail("\(String(describing: error))") }
        stack.clock.advance(by: 11)
        _ = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(transport.requests.count, 1)
    }

    // MARK: Reachability

    func testWithoutANetworkNothingIsSent() async throws {
        let stub = Self.statuses(200)
        let stack = Stack(Wire(stub: stub))
        stack.reachability.isConnected = false
        let manager = stack.manager(ProductManager())
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .notReachable)
        XCTAssertEqual(stub.requests.count, 0)
        stack.change { $0.baseURL = URL(string: "http://127.0.0.1:1")! }
        _ = try await manager.load()
        XCTAssertEqual(stub.requests.count, 1)
    }

    func testACallWaitsForTheNetwork() async throws {
        let stub = Self.statuses(200)
        let stack = Stack(Wire(stub: stub))
        stack.reachability.isConnected = false
        let built = Locked(0)
        stack.change { $0.adapt = { _, _ in built.withLock { $0 += 1 } } }
        let manager = stack.manager(ProductManager())
        manager.ownNetwork = .waiting()
        let task = Task { try await manager.load() }
        await until { built.current == 1 }
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(stub.requests.count, 0)
        stack.reachability.isConnected = true
        let product = try await task.value
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(built.current, 2, "with new stamps and tokens")
    }

    func testACallThatWaitsForTheNetworkIsCancelled() async {
        let stack = Stack(Wire(stub: Self.statuses(200)))
        stack.reachability.isConnected = false
        let built = Locked(0)
        stack.change { $0.adapt = { _, _ in built.withLock { $0 += 1 } } }
        let manager = stack.manager(ProductManager())
        manager.ownNetwork = .waiting()
        let task = Task { await failure(manager) }
        await until { built.current == 1 }
        task.cancel()
        let error = await task.value
        XCTAssertEqual(error?.kind, .cancelled)
        stack.reachability.isConnected = true
    }

    func testATransportWithoutAWireNeedsNoNetwork() async throws {
        let stack = Stack(Self.statuses(200))
        stack.reachability.isConnected = false
        let product = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7)
    }
}
