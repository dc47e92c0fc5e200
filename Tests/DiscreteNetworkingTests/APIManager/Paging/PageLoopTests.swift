import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// `for try await` over pages and items.
@MainActor
final class PageLoopTests: XCTestCase {
    func testLoopsHaveTheirOwnPlace() async throws {
        let server = TileServer(8)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        _ = try await manager.load()
        var counts: [Int] = []
        for try await page in manager.pages() {
            counts.append(page.items.count)
            var inner: [Int] = []
            for try await item in manager.allItems(with: ["q": "x"]) { inner.append(item.id) }
            XCTAssertEqual(inner, Array(0..<8))
        }
        XCTAssertEqual(counts, [3, 3, 2])
        XCTAssertEqual(manager.items.count, 3)
        XCTAssertEqual(manager.loadedPages, 1...1)
    }

    func testLeavingTheLoopStopsTheTraffic() async throws {
        let transport = TileServer(30).transport
        let manager = Stack(transport).manager(TileManager(.number(size: 3)))
        for try await item in manager.allItems() where item.id == 3 { break }
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(transport.requests.count, 2)
        XCTAssertFalse(manager.isLoading)
    }

    func testCancellingTheTaskCancelsThePageAndSendsNoMore() async throws {
        let gate = Gate()
        let server = TileServer(30)
        server.before.current = { request in if request.query("page") == "2" { await gate.pass() } }
        let transport = server.transport
        let stack = Stack(transport)
        let manager = stack.manager(TileManager(.number(size: 3)))
        let seen = Locked<[Int]>([])
        let task = Self.collect(manager, seen)
        await gate.arrival()
        task.cancel()
        guard case .failure(let error) = await task.result else { return XCTFail() }
        XCTAssertEqual((error as? APIError)?.kind, .cancelled)
        XCTAssertEqual(stack.proxy.requestIDs, [])
        gate.open()
        XCTAssertEqual(seen.current, [0, 1, 2])
        XCTAssertEqual(transport.requests.count, 2)

        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in manager.pages() {}
        }
        guard case .failure(let lateError) = await late.result else { return XCTFail() }
        XCTAssertEqual((lateError as? APIError)?.kind, .cancelled)
        XCTAssertEqual(transport.requests.count, 2, "a task that is cancelled already sends nothing")
    }

    /// Off the main actor, where loops often run.
    private static func collect(_ manager: TileManager, _ seen: Locked<[Int]>) -> Task<Void, any Error> {
        Task.detached {
            for try await item in manager.allItems() { seen.withLock { $0.append(item.id) } }
        }
    }

    func testAPageThatFailsInALoopCanBeTriedAgain() async throws {
        let server = TileServer(5)
        let manager = Stack(server.transport).manager(TileManager(.offset(size: 3)))
        var loop = manager.allItems().makeAsyncIterator()
        var items: [Int] = []
        for _ in 0..<3 { if let item = try await loop.next() { items.append(item.id) } }
        server.before.current = { _ in throw TransportError.lost }
        do {
            _ = try await loop.next()
            XCTFail()
        } catch { XCTAssertEqual((error as? APIError)?.kind, .transport(.lost)) }
        server.before.current = { _ in }
        while let item = try await loop.next() { items.append(item.id) }
        XCTAssertEqual(items, Array(0..<5))
    }

    func testTheLoopKeepsItsManager() async throws {
        let stack = Stack(TileServer(7).transport)
        var items: [Int] = []
        for try await item in stack.manager(TileManager(.cursor(size: 3))).allItems() {
            items.append(item.id)
        }
        XCTAssertEqual(items, Array(0..<7))
    }

    func testOverTheWireTrafficStopsWithTheLoop() async throws {
        let tiles = TileServer(100)
        let asked = Locked<[String]>([])
        let hold = LoopbackGate()
        let server = try serve { request in
            let query = { (name: String) in request.query.first { $0.name == name }?.value }
            asked.withLock { $0.append(query("page") ?? "") }
            let answer = LoopbackResponse.json(tiles.answer(query))
            return query("page") == "4" ? answer.delayed(until: hold) : answer
        }
        let stack = Stack(server)
        var items: [Int] = []
        for try await item in stack.manager(TileManager(.number(size: 10))).allItems() {
            items.append(item.id)
            if items.count == 25 { break }
        }
        XCTAssertEqual(items, Array(0..<25))
        XCTAssertEqual(asked.current, ["1", "2", "3"])

        let seen = Locked<[Int]>([])
        let task = Self.collect(stack.manager(TileManager(.number(size: 10))), seen)
        await until { asked.current.last == "4" }
        task.cancel()
        guard case .failure(let error) = await task.result else { return XCTFail() }
        XCTAssertEqual((error as? APIError)?.kind, .cancelled)
        XCTAssertEqual(seen.current, Array(0..<30))
        await server.waitForOpenConnections(atMost: 1)
        XCTAssertEqual(asked.current, ["1", "2", "3", "1", "2", "3", "4"])
        XCTAssertFalse(hold.isOpen)
    }
}
