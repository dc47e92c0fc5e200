import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What a manager's cache policy does to its calls.
@MainActor
final class CacheCallTests: XCTestCase {
    func testFreshResponseReplacesTheNetwork() async throws {
        let transport = ClosureTransport.counting()
        let stack = Stack(transport)
        let manager = stack.manager(keeping: .memory)
        var ids = [try await manager.load().id]
        XCTAssertEqual(manager.response?.isFromCache, false)
        stack.clock.advance(by: 100)
        ids.append(try await manager.load().id)
        XCTAssertEqual(manager.response?.isFromCache, true)
        XCTAssertEqual(manager.response?.age ?? 0, 100, accuracy: 0.001)
        stack.clock.advance(by: 81)
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 1, 2])
        XCTAssertEqual(manager.response?.isFromCache, false)
    }

    func testNothingIsKeptWhereNobodyAsksForIt() async throws {
        let transport = ClosureTransport.counting()
        let stack = Stack(transport)
        _ = try await stack.manager(keeping: .memory).load()
        let second = try await stack.manager(keeping: .none).load()
        XCTAssertEqual(second.id, 2)
    }

    func testAnEntryIsOneEndpointsParamsAndUsers() async throws {
        let transport = ClosureTransport.counting()
        let stack = Stack(transport)
        let manager = stack.manager(keeping: .memory)
        var ids = [try await manager.load(with: ["a": 1, "b": "x"]).id]
        ids.append(try await manager.load(with: ["b": "x", "a": 1]).id)
        // The query is the same: no server can tell.
        ids.append(try await manager.load(with: ["a": "1", "b": "x"]).id)
        manager.methodName = "products/other"
        ids.append(try await manager.load(with: ["a": 1, "b": "x"]).id)
        manager.methodName = "products/detail"
        manager.requestType = .post
        ids.append(try await manager.load(with: ["a": 1, "b": "x"]).id)
        manager.requestType = .get
        stack.change { $0.extraHeaders = ["authorization": "Bearer casa"] }
        ids.append(try await manager.load(with: ["a": 1, "b": "x"]).id)
        stack.change { $0.extraHeaders = ["authorization": "Bearer other"] }
        ids.append(try await manager.load(with: ["a": 1, "b": "x"]).id)
        stack.change { $0.user = "casa" }
        ids.append(try await manager.load(with: ["a": 1, "b": "x"]).id)
        stack.change { $0.baseURL = URL(string: "https://rc.example.com")! }
        ids.append(try await manager.load(with: ["a": 1, "b": "x"]).id)
        XCTAssertEqual(ids, [1, 1, 1, 2, 3, 4, 5, 6, 7])
    }

    func testTheCallThatIgnoresTheCacheRenewsIt() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: .memory)
        var ids = [try await manager.load().id]
        ids.append(try await manager.load(ignoringCache: true).id)
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 2, 2])
    }

    func testAnotherVersionIsNotUsed() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: .memory)
        var ids = [try await manager.load().id]
        manager.ownCache = CachePolicy(version: "2")
        ids.append(try await manager.load().id)
        stack.change { $0.cacheVersion = "7" }
        ids.append(try await manager.load().id)
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 2, 3, 3])
    }

    func testRemovedResponseIsLoadedAgain() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: .memory)
        _ = try await manager.load(with: ["a": 1])
        _ = try await manager.load(with: ["a": 2])
        await manager.cache.remove(with: ["a": 1])
        var ids = [try await manager.load(with: ["a": 1]).id, try await manager.load(with: ["a": 2]).id]
        XCTAssertEqual(ids, [3, 2])
        await manager.cache.remove()
        ids = [try await manager.load(with: ["a": 2]).id]
        XCTAssertEqual(ids, [4])
        for scope in [CacheScope.service(.test), .endpoint(.test, methodName: "products/detail"), .all] {
            let before = try await manager.load(with: ["a": 2]).id
            await stack.proxy.caches.remove(scope)
            let after = try await manager.load(with: ["a": 2]).id
            XCTAssertEqual(after, before + 1, "\(scope)")
        }
        let before = try await manager.load(with: ["a": 2]).id
        await stack.proxy.caches.remove(.service(.other))
        let after = try await manager.load(with: ["a": 2]).id
        XCTAssertEqual(after, before)
    }

    func testOnlyWhatTheValidatorLetsPassIsKept() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: .memory)
        let validator = OddOnly()
        manager.validator = validator
        var ids = [try await manager.load().id]
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 1])
        let error = await failure(manager, ignoringCache: true)
        guard case .invalidResponse? = error?.kind else { return XCTFail("\(String(describing: error))") }
        ids = [try await manager.load().id]
        XCTAssertEqual(ids, [1])
    }

    func testResponseWithNoStoreIsNotCached() async throws {
        let stack = Stack(ClosureTransport.counting(headers: ["Cache-Control": "max-age=60, No-Store"]))
        let manager = stack.manager(keeping: .memory)
        var ids = [try await manager.load().id]
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 2])
    }

    func testAClockThatIsSetBackMakesNothingYounger() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: .memory)
        var ids = [try await manager.load().id]
        stack.clock.now -= 3600
        ids.append(try await manager.load().id)
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 2, 2])
    }

    func testTheNetworkFirstAndWhatIsKeptWhereItFails() async throws {
        let stack = Stack(ClosureTransport.counting { $0 == 2 || $0 == 4 })
        let manager = stack.manager(keeping: CachePolicy(.networkFirst, memory: 60))
        var ids = [try await manager.load().id]
        ids.append(try await manager.load().id)
        XCTAssertEqual(manager.response?.isFromCache, true)
        ids.append(try await manager.load().id)
        XCTAssertEqual(manager.response?.isFromCache, false)
        stack.clock.advance(by: 61)
        let error = await failure(manager)
        XCTAssertEqual(ids, [1, 1, 3])
        guard case .transport? = error?.kind else { return XCTFail("\(String(describing: error))") }
    }

    func testStaleIfErrorLendsALongerLifeToFailures() async throws {
        let stack = Stack(ClosureTransport.counting { $0 > 1 })
        let manager = stack.manager(keeping: CachePolicy(memory: 60, staleIfError: 100))
        _ = try await manager.load()
        stack.clock.advance(by: 159)
        let product = try await manager.load()
        XCTAssertEqual(product.id, 1)
        stack.clock.advance(by: 2)
        let error = await failure(manager)
        XCTAssertNotNil(error)
    }

    func testAFailureOfTheCallItselfIsNotCoveredUp() async throws {
        let statuses = Locked([200, 404, 200])
        let transport = ClosureTransport { request in
            TransportResponse(request, json: teapot, status: statuses.withLock { $0.removeFirst() })
        }
        let stack = Stack(transport)
        let manager = stack.manager(keeping: CachePolicy(.networkFirst))
        _ = try await manager.load()
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .http(status: 404))
    }

    func testStaleWhileRevalidateReturnsTheCachedResponseFirst() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: CachePolicy(.staleWhileRevalidate))
        let screen = Screen()
        manager.delegate = screen
        _ = try await manager.load()
        let second = try await manager.load()
        XCTAssertEqual(second.id, 1)
        await until { screen.events.count == 3 }
        XCTAssertEqual(manager.output?.id, 2)
        XCTAssertFalse(manager.isLoading)
        var ids: [Int] = []
        for try await product in manager.updates() { ids.append(product.id) }
        XCTAssertEqual(ids, [2, 3])
        XCTAssertEqual(screen.events, Array(repeating: "success", count: 5))
    }

    func testUpdatesWithoutACacheAreOneAnswer() async throws {
        let stack = Stack(ClosureTransport.counting())
        var ids: [Int] = []
        let manager = stack.manager(keeping: .none)
        for try await product in manager.updates() { ids.append(product.id) }
        XCTAssertEqual(ids, [1])
        stack.change { $0.baseURL = URL(string: "ftp://x")! }
        do {
            for try await product in manager.updates() { ids.append(product.id) }
            XCTFail("no error")
        } catch {
            XCTAssertEqual((error as? APIError)?.methodName, "products/detail")
        }
    }

    func testLeavingTheUpdatesCancelsWhatHasNotCome() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport)
        let manager = stack.manager(keeping: .none)
        let screen = Screen()
        manager.delegate = screen
        let task = Task { for try await _ in manager.updates() {} }
        await gate.arrival()
        task.cancel()
        await until { screen.events == ["failure"] }
        XCTAssertEqual(manager.error?.kind, .cancelled)
        gate.open()
    }

    func testCachesAreNeverAskedOnTheMainActor() async throws {
        let uses = Locked(0)
        let stack = Stack(ClosureTransport.counting(), disk: OffMain(uses: uses))
        let manager = stack.manager(keeping: .disk)
        let screen = Screen()
        manager.delegate = screen
        manager.loadData()
        await until { screen.events.count == 1 }
        _ = try await manager.load(ignoringCache: true)
        await manager.cache.remove()
        XCTAssertEqual(uses.current, 4)
    }

    /// Stops the process where it is used on the main queue.
    private struct OffMain: ResponseCache {
        let uses: Locked<Int>
        private func note() {
            dispatchPrecondition(condition: .notOnQueue(.main))
            uses.withLock { $0 += 1 }
        }
        func response(for key: CacheKey) -> CachedResponse? {
            note()
            return nil
        }
        func store(_ response: CachedResponse, for key: CacheKey) { note() }
        func remove(_ scope: CacheScope) { note() }
    }

    func testEventsTellOfTheCache() async throws {
        let stack = Stack(ClosureTransport.counting())
        let ages = Locked<[TimeInterval]>([])
        stack.proxy.addObserver(Ages(ages: ages))
        let manager = stack.manager(keeping: .memory)
        _ = try await manager.load()
        stack.clock.advance(by: 5)
        _ = try await manager.load()
        XCTAssertEqual(ages.current.map { $0.rounded() }, [5])
    }

    private struct Ages: APICallObserver {
        let ages: Locked<[TimeInterval]>
        func observe(_ event: APICallEvent) {
            if case .servedFromCache(let age) = event.kind { ages.withLock { $0.append(age) } }
        }
    }

    private final class OddOnly: APIManagerValidator {
        func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
            (response.output as? Product)?.id.isMultiple(of: 2) == false ? .valid : .invalid(reason: "even")
        }
    }
}
