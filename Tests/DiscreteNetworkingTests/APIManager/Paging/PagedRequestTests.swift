import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Pages that are tried again.
@MainActor
final class PagedRequestTests: XCTestCase {
    /// A canceled attempt does not count, so the failed page is still the one to try again, and belongs to the list.
    func testARetryAfterACancelledAttemptAddsThePage() async throws {
        let server = TileServer(7)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        _ = try await manager.load(with: [:])
        server.before.current = { _ in throw TransportError.lost }
        _ = try? await manager.nextPage()
        let gate = Gate()
        server.before.current = { _ in await gate.pass() }
        let id = try XCTUnwrap(manager.loadNextPage(completion: nil))
        await gate.arrival()
        manager.cancelRequest(id)
        await until { manager.error?.kind == .cancelled }
        gate.open()
        server.before.current = { _ in }
        XCTAssertNotNil(manager.repeatFailedCall())
        await until { !manager.isLoading }
        XCTAssertNil(manager.error)
        XCTAssertEqual(manager.items.map(\.id), Array(0..<6))
    }

    /// The user has begun another list, and tries the failed page of the first one again before the other one is there.
    func testAPageOfTheOldListDoesNotEnterTheNewOne() async throws {
        let (coffee, late) = (Gate(), Gate())
        let isBroken = Locked(true)
        let transport = ClosureTransport { request in
            let (list, page) = (request.query("q") ?? "", request.query("page").flatMap(Int.init) ?? 0)
            if list == "coffee" { await coffee.pass() }
            if list == "tea", page == 2 {
                if isBroken.current { throw TransportError.lost }
                await late.pass()
            }
            let first = (list == "coffee" ? 100 : 0) + (page - 1) * 2
            return TransportResponse(
                request, json: #"{"items":[{"id":\#(first)},{"id":\#(first + 1)}],"total":10}"#)
        }
        let manager = Stack(transport).manager(TileManager(.number(size: 2)))
        _ = try await manager.load(with: ["q": "tea"])
        _ = try? await manager.nextPage()
        isBroken.current = false
        manager.loadFirstPage(with: ["q": "coffee"], completion: nil)
        await coffee.arrival()
        manager.repeatFailedCall()
        for _ in 0..<200 { await Task.yield() }
        coffee.open()
        await until { manager.items.first?.id == 100 }
        late.open()
        await until { !manager.isLoading }
        XCTAssertEqual(manager.items.map(\.id), [100, 101])
    }

    // MARK: The cache

    private func storedList() async throws -> (ClosureTransport, TileManager, Stack) {
        let transport = TileServer(7).transport
        let stack = Stack(transport)
        let manager = stack.manager(TileManager(.number(size: 3)))
        manager.ownCache = .memory
        _ = try await manager.load(with: ["q": "a"])
        return (transport, manager, stack)
    }

    /// "Returns the cached output of a request."
    func testTheStoredFirstPageIsFound() async throws {
        let (_, manager, _) = try await storedList()
        let page = try await manager.cache.output(with: ["q": "a"])
        XCTAssertEqual(page?.items.map(\.id), [0, 1, 2])
    }

    func testTheStoredFirstPageIsRemoved() async throws {
        let (transport, manager, _) = try await storedList()
        await manager.cache.remove(with: ["q": "a"])
        _ = try await manager.load(with: ["q": "a"])
        XCTAssertEqual(transport.requests.count, 2)
    }

    /// "Names the cached responses that a call makes stale: … one request of the current user."
    func testACallMakesAListStale() async throws {
        final class Adding: APIManager<JSONValue> {
            let serviceIdentifier = ServiceIdentifier.test
            let methodName = "tiles/new"
            let requestType = HTTPMethod.post
            override func invalidates(with params: Params) -> [StaleOutput] {
                let list = TileManager(.number(size: 3))
                list.ownCache = .memory
                return [StaleOutput(list, with: ["q": "a"])]
            }
        }
        let (transport, manager, stack) = try await storedList()
        _ = try await stack.manager(Adding()).load(with: [:])
        _ = try await manager.load(with: ["q": "a"])
        XCTAssertEqual(transport.requests.map(\.method), [.get, .post, .get])
    }
}
