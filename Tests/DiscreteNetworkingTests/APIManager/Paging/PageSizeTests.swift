import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Servers whose pages have another size than is asked for: a list ends by what was received.
@MainActor
final class PageSizeTests: XCTestCase {
    /// 5 are asked for.
    private static let sizes: [@Sendable (Int) -> Int] = [
        { _ in 1 }, { min($0, 2) }, { min($0, 4) }, { $0 }, { _ in 7 }, { $0 * 2 },
    ]
    private static let pagings: [Paging] = [
        .number(size: 5), .number(first: 0, size: 5), .offset(size: 5), .cursor(size: 5),
    ]

    private func each(
        _ counts: [Int],
        _ body: (_ manager: TileManager, _ server: TileServer, _ place: String) async throws -> Void
    ) async throws {
        for (index, size) in Self.sizes.enumerated() {
            for paging in Self.pagings {
                for says in [TileServer.Says.total, .hasMore] {
                    for count in counts {
                        let server = TileServer(count, says: says, first: paging.firstPage, size: size)
                        let manager = Stack(server.transport).manager(TileManager(paging))
                        try await body(manager, server, "\(paging.style) size \(index) \(says) of \(count)")
                    }
                }
            }
        }
    }

    func testAListIsWhole() async throws {
        try await each([0, 1, 2, 5, 6, 10, 14, 23]) { manager, server, place in
            let all = server.tiles.current
            _ = try await manager.load()
            while manager.hasNextPage { _ = try await manager.nextPage() }
            XCTAssertEqual(manager.items.map(\.id), all, place)
            XCTAssertTrue(manager.isLastPage, place)
            XCTAssertEqual(manager.lastPage, manager.currentPage, place)

            var seen: [Int] = []
            for try await tile in manager.allItems() { seen.append(tile.id) }
            XCTAssertEqual(seen, all, place)
        }
    }

    func testTheLastPageIsKnownByTheFirst() async throws {
        for (size, last) in zip(Self.sizes, [23, 12, 6, 5, 4, 3]) {
            let server = TileServer(23, size: size)
            for paging in [Paging.number(size: 5), .offset(size: 5), .cursor(size: 5)] {
                let manager = Stack(server.transport).manager(TileManager(paging))
                _ = try await manager.load()
                XCTAssertEqual(manager.lastPage, last, "\(paging.style)")
            }
        }
    }

    func testAListThatStartsInTheMiddleIsWhole() async throws {
        try await each([1, 9, 20, 23]) { manager, server, place in
            guard manager.paging.style != .cursor else { return }
            let all = server.tiles.current
            do {
                _ = try await manager.page(manager.paging.firstPage + 2)
                while manager.hasNextPage { _ = try await manager.nextPage() }
                while manager.hasPreviousPage { _ = try await manager.previousPage() }
                // A page beyond the end has nothing to begin with.
                if !manager.items.isEmpty { XCTAssertEqual(manager.items.map(\.id), all, place) }
                XCTAssertFalse(manager.hasNextPage, place)
            } catch let error as APIError {
                guard case .invalidResponse(let reason) = error.kind else { throw error }
                XCTAssertEqual(manager.paging.style, .offset, place)
                XCTAssertTrue(reason.contains("would be missing; set the size"), reason)
                let ids = manager.items.map(\.id)
                XCTAssertEqual(ids, Array(all.suffix(ids.count)), "\(place): without a gap")
            }
        }
    }

    /// Items come and go at either end while pages load. Whatever is there from the first page to the last is in the list, once.
    func testAListThatChangesMeanwhileEnds() async throws {
        var random = FixedRandom(seed: 7)
        for round in 0..<FullLength.rounds(60, of: 400) {
            for paging in Self.pagings {
                let size = Self.sizes.randomElement(using: &random)!
                let server = TileServer(
                    .random(in: 0...30, using: &random), says: .total, first: paging.firstPage, size: size)
                let manager = Stack(server.transport).manager(TileManager(paging))
                _ = try await manager.load()
                var added = 1000
                var pages = 1
                while manager.hasNextPage {
                    server.tiles.withLock { tiles in
                        switch Int.random(in: 0..<4, using: &random) {
                        // In front: what was read comes again. Cursors of this server are in order. With one item on each page, an
                        // insertion before every page would be a list without progress; see `emptyPageLimit`.
                        case 0 where paging.style != .cursor && pages.isMultiple(of: 2):
                            tiles.insert(-added, at: 0)
                        case 1 where pages < 20: tiles.append(added)
                        case 2: if tiles.count > 3 { tiles.removeLast() }
                        default: break
                        }
                        added += 1
                    }
                    _ = try await manager.nextPage()
                    pages += 1
                    XCTAssertLessThan(pages, 100, "round \(round)")
                }
                let ids = manager.items.map(\.id)
                XCTAssertEqual(Set(ids).count, ids.count)
                let missing = Set(server.tiles.current.filter { (0..<30).contains($0) }).subtracting(ids)
                XCTAssertEqual(missing, [], "\(paging.style) round \(round)")
            }
        }
    }
}
