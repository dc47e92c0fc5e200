import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Next, previous, given page and refresh, in each style and way of calling.
@MainActor
final class PagingTests: XCTestCase {
    private static let styles: [Paging] = [.number(size: 3), .offset(size: 3), .cursor(size: 3)]

    func testEachStyleComesToTheEndWhateverTheServerSays() async throws {
        for paging in Self.styles {
            for says in TileServer.Says.allCases {
                for count in [0, 1, 3, 7] {
                    let server = TileServer(count, says: says)
                    let transport = server.transport
                    let manager = Stack(transport).manager(TileManager(paging))
                    XCTAssertTrue(manager.hasNextPage)
                    var pages = 0
                    while try await manager.nextPage() != nil { pages += 1 }
                    let text = "\(paging.style) \(says) \(count)"
                    XCTAssertEqual(manager.items.map(\.id), server.tiles.current, text)
                    XCTAssertFalse(manager.hasNextPage, text)
                    XCTAssertFalse(manager.hasPreviousPage, text)
                    XCTAssertEqual(manager.lastPage, pages, text)
                    XCTAssertEqual(manager.totalCount, says == .total ? count : nil, text)
                    XCTAssertEqual(transport.requests.count, pages, text)
                    // Without a word from the server a full last page cannot be told from others.
                    let isBlind = says == .nothing && paging.style != .cursor && count == 3
                    XCTAssertEqual(pages, isBlind ? 2 : max(1, (count + 2) / 3), text)
                }
            }
        }
    }

    func testEachPagingSendsItsParams() async throws {
        let transport = TileServer(7).transport
        let stack = Stack(transport)
        for paging in [
            Paging.number(first: 0, size: 2, name: "p", sizeName: "n"), .number(sizeName: nil),
            .offset(size: 2, name: "skip", sizeName: "take"), .cursor(size: 2, name: "after"),
            .cursor(size: nil),
        ] {
            let manager = stack.manager(TileManager(paging))
            _ = try await manager.load(with: ["q": "茶"])
            _ = try await manager.nextPage()
        }
        XCTAssertEqual(
            transport.requests.map { $0.url.query?.removingPercentEncoding },
            [
                "n=2&p=0&q=茶", "n=2&p=1&q=茶", "page=1&q=茶", "page=2&q=茶", "q=茶&skip=0&take=2",
                "q=茶&skip=3&take=2",
                "limit=2&q=茶", "after=>1&limit=2&q=茶", "q=茶", "cursor=>2&q=茶",
            ])
    }

    func testByDelegateByClosureAndWhatTheManagerKnows() async throws {
        let server = TileServer(7)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        let screen = Screen()
        manager.delegate = screen
        XCTAssertNil(manager.currentPage)
        manager.loadFirstPage(completion: nil)
        await until { !manager.isLoading }
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2])
        XCTAssertEqual(manager.currentPage, 1)
        XCTAssertEqual(manager.lastPage, 3)
        XCTAssertEqual(manager.pageSize, 3)
        XCTAssertEqual(manager.totalCount, 7)
        let counts = Locked<[Int?]>([])
        XCTAssertNotNil(
            manager.loadNextPage { result in counts.withLock { $0.append((try? result.get())?.items.count) } }
        )
        await until { counts.current.count == 1 }
        manager.loadNextPage(completion: nil)
        await until { !manager.isLoading }
        XCTAssertEqual(manager.output?.items, [Tile(id: 6)])
        XCTAssertEqual(manager.loadedPages, 1...3)
        XCTAssertNil(
            manager.loadNextPage { result in counts.withLock { $0.append((try? result.get())?.items.count) } }
        )
        XCTAssertEqual(counts.current, [3], "not before it has returned")
        await until { counts.current.count == 2 }
        XCTAssertEqual(counts.current, [3, nil])
        XCTAssertNil(manager.loadPreviousPage(completion: nil))
        XCTAssertEqual(screen.events, ["success", "success", "success"])
    }

    func testLoadFirstPageLoadNextPageAndRefreshWaitInAnAsyncFunction() async throws {
        let server = TileServer(7)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        let first = try await manager.firstPage(with: ["q": "tea"])
        XCTAssertEqual(manager.items, first.items)
        try await manager.nextPage()
        XCTAssertEqual(manager.loadedPages, 1...2)
        while try await manager.nextPage() != nil {}
        XCTAssertEqual(manager.items.count, 7)
        let again = try await manager.reload()
        XCTAssertEqual(manager.items, again.items)
        XCTAssertFalse(manager.isLoading)
        try await manager.page(2)
        try await manager.reloadCurrentPage()
        let none = try await manager.previousPage()
        XCTAssertNil(none)
        XCTAssertEqual(manager.loadedPages, 1...2)
    }

    func testTwoAtOnceLoadOnePage() async throws {
        let gate = Gate()
        let server = TileServer(7)
        let transport = server.transport
        let manager = Stack(transport).manager(TileManager(.number(size: 3)))
        let screen = Screen()
        manager.delegate = screen
        server.before.current = { _ in await gate.pass() }
        let told = Locked(0)
        let ids = [
            manager.loadFirstPage { _ in told.withLock { $0 += 1 } },
            manager.loadNextPage { _ in told.withLock { $0 += 1 } },
            manager.loadPage(1) { _ in told.withLock { $0 += 1 } },
        ]
        XCTAssertEqual(Set(ids).count, 1, "what waits for the list to start waits for its first page")
        gate.open()
        await until { told.current == 3 }
        let second = Gate()
        server.before.current = { _ in await second.pass() }
        let id = manager.loadNextPage(completion: nil)
        XCTAssertNotNil(id)
        XCTAssertEqual(manager.loadNextPage(completion: nil), id)
        XCTAssertEqual(manager.loadPage(2, completion: nil), id)
        let waiting = [Task { try await manager.nextPage() }, Task { try await manager.nextPage() }]
        await second.arrival()
        for _ in 0..<20 { await Task.yield() }
        second.open()
        for task in waiting { _ = try await task.value }
        XCTAssertEqual(manager.items.map(\.id), Array(0..<6))
        XCTAssertEqual(transport.requests.count, 2, "\(transport.requests.map(\.url))")
        XCTAssertEqual(screen.events, ["success", "success"])
    }

    func testAFailedPageChangesNothingAndCanBeTriedAgain() async throws {
        let server = TileServer(7)
        for paging in Self.styles {
            let manager = Stack(server.transport).manager(TileManager(paging))
            let isDown = Locked(true)
            let asked = Locked<String?>(nil)
            server.before.current = { request in
                asked.current = request.query("q")
                if isDown.current { throw TransportError.lost }
            }
            for page in 1...3 {
                isDown.current = true
                let before = manager.items
                for _ in 0..<2 {
                    do throws(APIError) {
                        // The params of a list that could not be loaded are those of the next try.
                        _ =
                            page == 1
                            ? try await manager.load(with: ["q": "tea"]) : try await manager.nextPage()
                        XCTFail("page \(page) came")
                    } catch { XCTAssertEqual(error.kind, .transport(.lost)) }
                    XCTAssertEqual(manager.items, before)
                    XCTAssertEqual(manager.currentPage, page == 1 ? nil : page - 1)
                    XCTAssertTrue(manager.hasNextPage)
                }
                isDown.current = false
                _ = try await manager.nextPage()
                XCTAssertEqual(asked.current, "tea")
            }
            XCTAssertEqual(manager.items.map(\.id), server.tiles.current)
        }
    }

    func testPreviousAndGivenPages() async throws {
        let server = TileServer(10)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        _ = try await manager.page(3)
        XCTAssertEqual(manager.items.map(\.id), [6, 7, 8])
        XCTAssertTrue(manager.hasPreviousPage)
        _ = try await manager.previousPage()
        _ = try await manager.page(4)
        XCTAssertEqual(manager.items.map(\.id), Array(3..<10))
        XCTAssertEqual(manager.loadedPages, 2...4)
        XCTAssertEqual(manager.currentPage, 4)
        _ = try await manager.page(1)
        XCTAssertEqual(manager.items.map(\.id), Array(0..<10), "a neighbour is added")
        _ = try await manager.page(3)
        XCTAssertEqual(manager.items.map(\.id), [6, 7, 8], "with any other the list starts anew")

        let byOffset = Stack(server.transport).manager(TileManager(.offset(size: 3)))
        _ = try await byOffset.page(2)
        _ = try await byOffset.previousPage()
        XCTAssertEqual(byOffset.items.map(\.id), Array(0..<6))
        let nothing = try await byOffset.previousPage()
        XCTAssertNil(nothing)
    }

    func testCursorsLeadBackToo() async throws {
        struct Middle: APIPage {
            let items: [Tile]
            let nextCursor: String?
            let previousCursor: String?
        }
        let server = TileServer(9)
        let transport = server.transport
        let manager = Stack(transport).manager(ListManager<Middle>(.cursor(size: 3)))
        _ = try await manager.load(with: ["cursor": ">2"])
        XCTAssertEqual(manager.items.map(\.id), [3, 4, 5])
        let before = try await manager.previousPage()
        XCTAssertEqual(before?.items.map(\.id), [0, 1, 2])
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.map(\.id), Array(0..<9))
        XCTAssertEqual(transport.requests.map { $0.query("cursor") }, [">2", "<3", ">5"])
    }

    func testPagesThatCannotBe() async throws {
        let server = TileServer(4)
        let transport = server.transport
        let manager = Stack(transport).manager(TileManager(.number(size: 3)))
        let cursors = Stack(transport).manager(TileManager(.cursor()))
        for (manager, page) in [(manager, 0), (manager, .min), (cursors, 2), (cursors, -1)] {
            do throws(APIError) {
                _ = try await manager.page(page)
                XCTFail("\(page)")
            } catch {
                guard case .invalidParams = error.kind else { return XCTFail("\(error)") }
            }
        }
        XCTAssertEqual(transport.requests.count, 0)
        _ = try await manager.page(1)
        server.before.current = { request in
            if request.query("page") == "9223372036854775807" { throw TransportError.lost }
        }
        _ = try? await manager.page(.max)
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2])
        XCTAssertEqual(Paging.offset(size: .max).pageRequest(forPage: .max)?.offset, .max)
        XCTAssertEqual(Paging.number(size: 0).size, 1)
    }

    func testAListKeepsItsParamsAndAsksTheSourceOncePerList() async throws {
        let transport = TileServer(7).transport
        let manager = Stack(transport).manager(TileManager(.number(size: 3)))
        let screen = Screen()
        manager.paramSource = screen
        screen.params = ["q": "a"]
        _ = try await manager.load()
        screen.params = ["q": "b"]
        _ = try await manager.nextPage()
        _ = try await manager.reload()
        _ = try await manager.load(with: ["q": "c"])
        _ = try await manager.nextPage()
        _ = try await manager.reload()
        _ = try await manager.page(3)
        XCTAssertEqual(transport.requests.map { $0.query("q") }, ["a", "a", "b", "c", "c", "c", "c"])
        manager.cleanData()
        XCTAssertEqual(manager.items, [])
        XCTAssertNil(manager.output)
        _ = try await manager.nextPage()
        XCTAssertEqual(transport.requests.last?.query("q"), "b")
    }
}
