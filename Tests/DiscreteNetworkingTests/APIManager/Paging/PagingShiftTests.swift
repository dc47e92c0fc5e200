import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Pages that shift, repeat, or never end.
@MainActor
final class PagingShiftTests: XCTestCase {
    private struct Keyed: APIPage {
        struct Item: Decodable, Sendable {
            let sku: String
            let size: Int
        }
        let items: [Item]
        static func key(of item: Item) -> (any Hashable & Sendable)? { item.sku }
    }

    private struct Plain: APIPage { let items: [String] }

    func testItemsThatShiftedAppearOnce() async throws {
        let server = TileServer(6)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        _ = try await manager.load()
        server.tiles.withLock { $0.insert(100, at: 0) }
        while try await manager.nextPage() != nil {}
        XCTAssertEqual(manager.items.map(\.id), [0, 1, 2, 3, 4, 5])
        XCTAssertEqual(manager.totalCount, 7)
    }

    func testTheKeyIsThePagesOwnAndWithoutOneNothingIsTheSame() async throws {
        let keyed = Stack(
            ClosureTransport(pages: [
                #"{"items":[{"sku":"a","size":1},{"sku":"a","size":2}]}"#,
                #"{"items":[{"sku":"a","size":3},{"sku":"b","size":4}]}"#, #"{"items":[]}"#,
            ])
        ).manager(ListManager<Keyed>(.number(size: 2)))
        while try await keyed.nextPage() != nil {}
        XCTAssertEqual(keyed.items.map(\.size), [1, 4], "where it was first")

        let plain = Stack(
            ClosureTransport(pages: [#"{"items":["a","a"]}"#, #"{"items":["a"]}"#])
        ).manager(ListManager<Plain>(.number(size: 2)))
        while try await plain.nextPage() != nil {}
        XCTAssertEqual(plain.items, ["a", "a", "a"])
    }

    func testEmptyPagesForEverEnd() async throws {
        let endless = #"{"items":[],"hasMore":true,"nextCursor":"NUMBER"}"#
        let first = #"{"items":[{"id":1}],"hasMore":true,"nextCursor":"a"}"#
        for paging in [Paging.number(size: 1), .offset(size: 1), .cursor(size: 1)] {
            let number = Locked(0)
            let transport = ClosureTransport { request in
                let count = number.withLock { number in
                    number += 1
                    return number
                }
                return TransportResponse(
                    request,
                    json: count == 1 ? first : endless.replacingOccurrences(of: "NUMBER", with: "\(count)"))
            }
            let manager = Stack(transport).manager(TileManager(paging))
            var kind: APIError.Kind?
            do throws(APIError) { while try await manager.nextPage() != nil {} } catch {
                kind = error.kind
            }
            XCTAssertEqual(manager.items, [Tile(id: 1)])
            if paging.style == .offset {
                XCTAssertNil(kind, "the same request would bring the same")
                XCTAssertEqual(transport.requests.count, 2)
            } else {
                guard case .invalidResponse(let reason)? = kind else { return XCTFail("\(paging.style)") }
                XCTAssertTrue(reason.contains("6 consecutive pages"), reason)
                XCTAssertEqual(transport.requests.count, 7)
                // And in a loop.
                do {
                    for try await _ in manager.pages() {}
                    XCTFail()
                } catch { XCTAssertNotNil(error as? APIError) }
            }
        }
    }

    func testAServerThatIgnoresThePageNumberIsNoticed() async throws {
        let transport = ClosureTransport(pages: [#"{"items":[{"id":1},{"id":2}]}"#])
        let manager = Stack(transport).manager(TileManager(.number(size: 2)))
        var items: [Tile] = []
        do {
            for try await item in manager.allItems() { items.append(item) }
            XCTFail()
        } catch {
            guard case .invalidResponse? = (error as? APIError)?.kind else { return XCTFail("\(error)") }
        }
        XCTAssertEqual(items.map(\.id), [1, 2])
        XCTAssertEqual(transport.requests.count, 7)
    }

    func testACursorThatComesAgainIsAnErrorAndTheListStays() async throws {
        func page(_ id: Int, _ cursor: String) -> String {
            #"{"items":[{"id":\#(id)}],"nextCursor":"\#(cursor)"}"#
        }
        let transport = ClosureTransport(pages: [page(1, "a"), page(2, "b"), page(3, "a")])
        let manager = Stack(transport).manager(TileManager(.cursor(size: 1)))
        _ = try await manager.load()
        _ = try await manager.nextPage()
        for _ in 0..<2 {
            do throws(APIError) {
                _ = try await manager.nextPage()
                XCTFail()
            } catch {
                guard case .invalidResponse = error.kind else { return XCTFail("\(error)") }
                XCTAssertNotNil(error.response)
            }
        }
        XCTAssertEqual(manager.items.map(\.id), [1, 2])
        XCTAssertEqual(transport.requests.last?.query("cursor"), "b")
    }

    /// Inserting at the front only pushes items to later pages: all that were there are found, once, in
    /// order. With removals some may be missed by number and offset, but never by cursor.
    func testListsThatChangeWhileTheyArePaged() async throws {
        for seed in 1...UInt64(FullLength.rounds(12, of: 40)) {
            var random = FixedRandom(seed: seed)
            let size = Int.random(in: 1...5, using: &random)
            for paging in [Paging.number(size: size), .offset(size: size), .cursor(size: size)] {
                let removes = Bool.random(using: &random)
                let server = TileServer(0, says: [.total, .hasMore, .nothing][Int(seed % 3)])
                let old = Array(1000..<(1000 + Int.random(in: 0...30, using: &random)))
                server.tiles.current = old
                var stayed = Set(old)
                var ever = stayed
                let manager = Stack(server.transport).manager(TileManager(paging))
                var fresh = 999
                var looped: [Int] = []
                var loop = manager.allItems().makeAsyncIterator()
                for _ in 0..<200 {
                    let page = try await manager.nextPage()
                    let item = try await loop.next()
                    if let item { looped.append(item.id) }
                    if page == nil, item == nil { break }
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        server.tiles.withLock { $0.insert(fresh, at: 0) }
                        ever.insert(fresh)
                        fresh -= 1
                    }
                    if removes, Int.random(in: 0..<4, using: &random) == 0 {
                        let gone = server.tiles.withLock { tiles -> Int? in
                            tiles.indices.randomElement(using: &random).map { tiles.remove(at: $0) }
                        }
                        if let gone { stayed.remove(gone) }
                    }
                }
                for found in [manager.items.map(\.id), looped] {
                    let text = "seed \(seed), \(paging.style), \(found)"
                    XCTAssertEqual(Set(found).count, found.count, text)
                    XCTAssertEqual(found.filter { $0 >= 1000 }, found.filter { $0 >= 1000 }.sorted(), text)
                    XCTAssertTrue(Set(found).isSubset(of: ever), text)
                    if paging.style == .cursor || !removes {
                        XCTAssertTrue(stayed.isSubset(of: Set(found)), text)
                    }
                }
            }
        }
    }
}
