import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What happens to a list when it starts anew, is cancelled, or released in the middle of a page.
@MainActor
final class PagingRefreshTests: XCTestCase {
    private func loaded(_ server: TileServer) async throws -> TileManager {
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        _ = try await manager.load()
        return manager
    }

    func testItemsAreReplacedOnlyWhenTheRefreshSucceeds() async throws {
        let server = TileServer(7)
        let manager = try await loaded(server)
        _ = try await manager.nextPage()
        server.before.current = { _ in throw TransportError.lost }
        _ = try? await manager.reload()
        XCTAssertEqual(manager.items.map(\.id), Array(0..<6))
        XCTAssertEqual(manager.loadedPages, 1...2)
        server.tiles.current = Array(10..<20)
        let gate = Gate()
        server.before.current = { _ in await gate.pass() }
        manager.refresh(completion: nil)
        await gate.arrival()
        XCTAssertEqual(manager.items.map(\.id), Array(0..<6), "until the new ones are there")
        gate.open()
        await until { !manager.isLoading }
        XCTAssertEqual(manager.items.map(\.id), [10, 11, 12])
        XCTAssertEqual(manager.loadedPages, 1...1)
    }

    func testNoLatePageOfTheOldListIsAppended() async throws {
        let server = TileServer(7)
        let manager = try await loaded(server)
        let gate = Gate()
        server.before.current = { request in if request.query("page") == "2" { await gate.pass() } }
        let outcomes = Locked<[APIError.Kind?]>([])
        manager.loadNextPage { result in outcomes.withLock { $0.append(result.kind) } }
        await gate.arrival()
        server.tiles.current = Array(10..<20)
        _ = try await manager.reload()
        gate.open()
        await until { outcomes.current.count == 1 }
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(outcomes.current, [.cancelled])
        XCTAssertEqual(manager.items.map(\.id), [10, 11, 12])
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.map(\.id), Array(10..<16))
    }

    func testAnotherListCancelsTheOneThatIsStarting() async throws {
        let server = TileServer(7)
        let gate = Gate()
        server.before.current = { request in if request.query("q") == "a" { await gate.pass() } }
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        let outcomes = Locked<[APIError.Kind?]>([])
        manager.loadFirstPage(with: ["q": "a"]) { result in outcomes.withLock { $0.append(result.kind) } }
        await gate.arrival()
        _ = try await manager.load(with: ["q": "b"])
        XCTAssertEqual(manager.items.count, 3)
        await until { outcomes.current == [.cancelled] }
        gate.open()
    }

    func testForgettingTheListCancelsItsNextPage() async throws {
        let server = TileServer(7)
        let manager = try await loaded(server)
        let gate = Gate()
        server.before.current = { _ in await gate.pass() }
        manager.loadNextPage(completion: nil)
        await gate.arrival()
        manager.cleanData()
        XCTAssertFalse(manager.isLoading)
        gate.open()
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(manager.items, [])
    }

    func testAPageThatIsCancelledCanBeTriedAgain() async throws {
        let server = TileServer(7)
        let manager = try await loaded(server)
        let gate = Gate()
        server.before.current = { _ in await gate.pass() }
        let task = Task { try await manager.nextPage() }
        await gate.arrival()
        task.cancel()
        guard case .failure(let error as APIError) = await task.result else { return XCTFail() }
        XCTAssertEqual(error.kind, .cancelled)
        gate.open()
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.map(\.id), Array(0..<6))
    }

    func testAReleasedManagerIsFreedAndItsPageCancelled() async throws {
        let gate = Gate()
        let server = TileServer(7)
        server.before.current = { _ in await gate.pass() }
        let stack = Stack(server.transport)
        var manager: TileManager? = stack.manager(TileManager(.number(size: 3)))
        weak let released = manager
        let outcomes = Locked<[APIError.Kind?]>([])
        manager?.loadNextPage { result in outcomes.withLock { $0.append(result.kind) } }
        await gate.arrival()
        manager = nil
        XCTAssertNil(released)
        await until { outcomes.current == [.cancelled] }
        XCTAssertEqual(stack.proxy.requestIDs, [])
        gate.open()
    }

    func testAPageTheValidatorRefusesIsNotAdded() async throws {
        final class Picky: APIManagerValidator {
            var refuses = false
            func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
                refuses ? .invalid(reason: "no") : .valid
            }
        }
        let server = TileServer(7)
        let manager = try await loaded(server)
        let picky = Picky()
        manager.validator = picky
        picky.refuses = true
        _ = try? await manager.nextPage()
        XCTAssertEqual(manager.error?.kind, .invalidResponse(reason: "no"))
        XCTAssertEqual(manager.items.count, 3)
        picky.refuses = false
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.count, 6)
    }

    func testARefreshAndItsPagesGoAroundTheCache() async throws {
        let server = TileServer(7)
        let transport = server.transport
        let manager = Stack(transport).manager(TileManager(.number(size: 3)))
        manager.ownCache = .memory
        for _ in 0..<2 {
            _ = try await manager.load()
            _ = try await manager.nextPage()
        }
        XCTAssertEqual(transport.requests.count, 2)
        server.tiles.current = Array(10..<20)
        _ = try await manager.reload()
        _ = try await manager.nextPage()
        XCTAssertEqual(transport.requests.count, 4)
        XCTAssertEqual(manager.items.map(\.id), Array(10..<16))
    }

    func testTheServersAnswerAfterThatOfTheCacheStartsTheListAnew() async throws {
        let server = TileServer(7)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        manager.ownCache = CachePolicy(.staleWhileRevalidate)
        _ = try await manager.load()
        _ = try await manager.nextPage()
        server.tiles.current = Array(10..<20)
        let gate = Gate()
        server.before.current = { _ in await gate.pass() }
        _ = try await manager.load()
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2])
        let next = Task { try await manager.nextPage() }
        await gate.arrival()
        gate.open()
        _ = try await next.value
        XCTAssertEqual(manager.items.map(\.id), [10, 11, 12], "the first page was waited for")
        _ = try await manager.reload()
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.map(\.id), Array(10..<16))
    }

    // MARK: The current page again

    func testTheCurrentPageIsReplacedWhereItIs() async throws {
        let server = TileServer(7)
        let manager = try await loaded(server)
        _ = try await manager.nextPage()
        XCTAssertFalse(manager.isFirstPage || manager.isLastPage)
        // One was taken from the page, and another one has come.
        server.tiles.current = [0, 1, 2, 3, 40, 5, 6]
        _ = try await manager.reloadCurrentPage()
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2, 3, 40, 5])
        XCTAssertEqual(manager.currentPage, 2)
        XCTAssertEqual(manager.loadedPages, 1...2)
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2, 3, 40, 5, 6])
        XCTAssertTrue(manager.isLastPage)
    }

    func testAPageInsideTheListSaysNothingAboutItsEnds() async throws {
        let server = TileServer(9, says: .hasMore)
        let manager = try await loaded(server)
        _ = try await manager.page(2)
        _ = try await manager.page(3)
        XCTAssertTrue(manager.isLastPage)
        let other = Stack(server.transport).manager(TileManager(.number(size: 3)))
        _ = try await other.page(2)
        XCTAssertFalse(other.isFirstPage, "page 1 is before it")
        _ = try await other.previousPage()
        XCTAssertTrue(other.isFirstPage)
        server.tiles.current = Array(10..<13)
        _ = try await other.reloadCurrentPage()
        XCTAssertEqual(other.items.map(\.id), [10, 11, 12, 3, 4, 5])
        XCTAssertTrue(other.hasNextPage, "page 3 still follows page 2")
        XCTAssertEqual(other.loadedPages, 1...2)
    }

    func testACursorThatWasUsedMayBeUsedForTheSamePage() async throws {
        let server = TileServer(9, says: .nothing)
        let manager = Stack(server.transport).manager(TileManager(.cursor(size: 3)))
        for _ in 0..<3 { _ = try await manager.nextPage() }
        for _ in 0..<10 { _ = try await manager.reloadCurrentPage() }
        XCTAssertEqual(manager.items.map(\.id), Array(0..<9))
        XCTAssertTrue(manager.isLastPage)
    }

    func testAFailureOfThatPageChangesNothing() async throws {
        let server = TileServer(7)
        let manager = try await loaded(server)
        server.before.current = { _ in throw TransportError.lost }
        manager.refreshCurrentPage(completion: nil)
        await until { !manager.isLoading }
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2])
        XCTAssertEqual(manager.error?.kind, .transport(.lost))
    }

    func testBeforeThereIsAListItIsTheFirstPage() async throws {
        let manager = Stack(TileServer(7).transport).manager(TileManager(.number(size: 3)))
        XCTAssertFalse(manager.isFirstPage || manager.isLastPage)
        _ = try await manager.reloadCurrentPage()
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2])
        XCTAssertTrue(manager.isFirstPage)
    }
}
