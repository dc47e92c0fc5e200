import XCTest

@testable import DiscreteNetworkingCore

/// What a page costs does not depend on how many there are: what is known of a list is never copied.
@MainActor
final class PageCostTests: XCTestCase {
    /// A key that knows how often it is held.
    private final class Mark: Hashable, Sendable {
        let id: Int
        init(_ id: Int) { self.id = id }
        static func == (left: Mark, right: Mark) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    private struct MarkPage: APIPage {
        static let first = Locked<Mark?>(nil)
        /// How often the first key is held whenever a later one is made.
        static let counts = Locked<[UInt]>([])

        let items: [Tile]
        let hasMore: Bool?

        static func key(of item: Tile) -> (any Hashable & Sendable)? {
            let mark = Mark(item.id)
            if item.id == 0 { first.current = mark }
            if item.id > 3, let first = first.current {
                counts.withLock { $0.append(_getRetainCount(first)) }
            }
            return mark
        }
    }

    private func manager() -> ListManager<MarkPage> {
        MarkPage.first.current = nil
        MarkPage.counts.current = []
        return Stack(TileServer(18, says: .hasMore).transport).manager(ListManager(.number(size: 3)))
    }

    func testTheKeysOfAManagersListAreNotCopied() async throws {
        let manager = manager()
        _ = try await manager.load()
        while manager.hasNextPage { _ = try await manager.nextPage() }
        XCTAssertEqual(manager.items.map(\.id), Array(0..<18))
        XCTAssertEqual(Set(MarkPage.counts.current).count, 1, "\(MarkPage.counts.current)")
    }

    func testTheKeysOfALoopAreNotCopied() async throws {
        var items: [Int] = []
        for try await item in manager().allItems() { items.append(item.id) }
        XCTAssertEqual(items, Array(0..<18))
        XCTAssertEqual(Set(MarkPage.counts.current).count, 1, "\(MarkPage.counts.current)")
    }

    func testACopyOfALoopHasItsOwnPlace() async throws {
        var one = manager().allItems().makeAsyncIterator()
        for _ in 0..<3 { _ = try await one.next() }
        var other = one
        var (left, right): ([Int], [Int]) = ([], [])
        while let item = try await one.next() { left.append(item.id) }
        while let item = try await other.next() { right.append(item.id) }
        XCTAssertEqual(left, Array(3..<18))
        XCTAssertEqual(right, left)
    }
}
