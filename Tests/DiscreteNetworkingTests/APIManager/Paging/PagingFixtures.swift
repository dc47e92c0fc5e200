import Foundation

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

struct Tile: Decodable, Sendable, Identifiable, Equatable { let id: Int }

struct TilePage: APIPage {
    let items: [Tile]
    var total: Int?
    var hasMore: Bool?
    var nextCursor: String?
    var previousCursor: String?
}

/// A paged manager whose paging a test may set.
final class ListManager<Page: APIPage>: PagedAPIManager<Page> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "tiles"
    let requestType = HTTPMethod.get
    let paging: Paging
    var ownCache = CachePolicy.none
    override var cachePolicy: CachePolicy { ownCache }
    init(_ paging: Paging) {
        self.paging = paging
        super.init()
    }
}

typealias TileManager = ListManager<TilePage>

extension APIRequest {
    func query(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
    }
}

/// A list that a test may change while it is paged, served by number, offset and cursor. A cursor is the
/// item that a page begins after, or ends before: `>3`, `<7`.
final class TileServer: Sendable {
    enum Says: CaseIterable { case nothing, total, hasMore }

    let tiles: Locked<[Int]>
    let says: Says
    /// The number of its first page.
    let first: Int
    /// The size of its pages, by the size that is asked for.
    let size: @Sendable (Int) -> Int
    /// Asked before each answer; throws to have the page fail.
    let before: Locked<@Sendable (APIRequest) async throws -> Void> = Locked { _ in }

    init(_ count: Int, says: Says = .total, first: Int = 1, size: @escaping @Sendable (Int) -> Int = { $0 }) {
        tiles = Locked(Array(0..<count))
        self.says = says
        self.size = size
        self.first = first
    }

    var transport: ClosureTransport {
        ClosureTransport { request in
            try await self.before.current(request)
            return TransportResponse(request, json: self.answer(request.query))
        }
    }

    func answer(_ query: (String) -> String?) -> String {
        let tiles = tiles.current
        let size = self.size((query("pageSize") ?? query("limit")).flatMap(Int.init) ?? 3)
        var start = 0
        var end = tiles.count
        if let page = query("page").flatMap(Int.init) {
            start = min(max(page - first, 0) * size, tiles.count)
        } else if let offset = query("offset").flatMap(Int.init) {
            start = min(offset, tiles.count)
        } else if let cursor = query("cursor") ?? query("after"), let tile = Int(cursor.dropFirst()) {
            if cursor.first == ">" {
                start = tiles.firstIndex { $0 > tile } ?? tiles.count
            } else {
                end = tiles.firstIndex { $0 >= tile } ?? tiles.count
                start = max(0, end - size)
            }
        }
        let page = tiles[start..<min(start + size, end)]
        var fields = ["\"items\":[" + page.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"]
        if says == .total { fields.append("\"total\":\(tiles.count)") }
        if says == .hasMore { fields.append("\"hasMore\":\(page.endIndex < tiles.count)") }
        if let last = page.last, page.endIndex < tiles.count { fields.append("\"nextCursor\":\">\(last)\"") }
        if let first = page.first, start > 0 { fields.append("\"previousCursor\":\"<\(first)\"") }
        return "{" + fields.joined(separator: ",") + "}"
    }
}

extension ClosureTransport {
    /// Answers each request with the next of these, and then with the last for ever.
    convenience init(pages: [String]) {
        let rest = Locked(pages)
        self.init { request in
            let json = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return TransportResponse(request, json: json)
        }
    }
}
