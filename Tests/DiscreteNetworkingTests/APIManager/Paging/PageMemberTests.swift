import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Pages whose members are always there, of another type, or in the header `Link`.
@MainActor
final class PageMemberTests: XCTestCase {
    private struct Certain: APIPage {
        let items: [Tile]
        let total: Int
        let hasMore: Bool
        let nextCursor: String
    }

    private struct Computed: APIPage {
        struct Meta: Decodable, Sendable { let next: String }
        let items: [Tile]
        let meta: Meta
        var nextCursor: String { meta.next }
    }

    private struct Odd: APIPage {
        let items: [Tile]
        let total: String
    }

    private struct OddAtTimes: APIPage {
        let items: [Tile]
        let more: Int?
        var hasMore: Int? { more }
    }

    private func all<Page: APIPage>(
        _ type: Page.Type, _ paging: Paging, _ pages: [String]
    ) async throws -> [Page.Item] {
        let transport = ClosureTransport(pages: pages)
        let manager = Stack(transport).manager(ListManager<Page>(paging))
        while try await manager.nextPage() != nil {}
        XCTAssertEqual(transport.requests.count, pages.count)
        return manager.items
    }

    func testMembersThatAreNoOptionalsAreRead() async throws {
        let pages = [
            #"{"items": [{"id": 1}, {"id": 2}], "total": 3, "hasMore": true, "nextCursor": "a"}"#,
            #"{"items": [{"id": 3}], "total": 3, "hasMore": false, "nextCursor": ""}"#,
        ]
        for paging in [Paging.cursor(), .number(size: 9), .offset(size: 9)] {
            let items = try await all(Certain.self, paging, pages)
            XCTAssertEqual(items.map(\.id), [1, 2, 3])
        }
        let computed = try await all(
            Computed.self, .cursor(),
            [
                #"{"items": [{"id": 1}], "meta": {"next": "a"}}"#,
                #"{"items": [{"id": 2}], "meta": {"next": ""}}"#,
            ])
        XCTAssertEqual(computed.map(\.id), [1, 2])
    }

    func testAMemberOfAnotherTypeIsNamed() async throws {
        let transport = ClosureTransport(json: #"{"items": [{"id": 1}], "total": "41"}"#)
        let manager = Stack(transport).manager(ListManager<Odd>(.number(size: 1)))
        do {
            try await manager.nextPage()
            XCTFail("The total was ignored.")
        } catch {
            guard case .invalidResponse(let reason) = error.kind else { return XCTFail("\(error)") }
            XCTAssertEqual(
                reason, "total of Odd is String, which is not read; declare it as Int or Int?.")
        }
    }

    func testSoIsAComputedOneWithItsValue() async throws {
        let transport = ClosureTransport(pages: [
            #"{"items": [{"id": 1}]}"#, #"{"items": [{"id": 2}], "more": 1}"#,
        ])
        let manager = Stack(transport).manager(ListManager<OddAtTimes>(.number(size: 1)))
        try await manager.nextPage()
        do {
            try await manager.nextPage()
            XCTFail("The member was ignored.")
        } catch {
            guard case .invalidResponse(let reason) = error.kind else { return XCTFail("\(error)") }
            XCTAssertEqual(
                reason,
                "hasMore of OddAtTimes is Optional<Int>, which is not read; declare it as Bool or Bool?.")
        }
        XCTAssertEqual(manager.items.map(\.id), [1])
    }

    func testATotalMayHaveAnyWidth() async throws {
        struct Wide: APIPage {
            let items: [Tile]
            let total: Int64
        }
        let pages = [#"{"items": [{"id": 1}], "total": 2}"#, #"{"items": [{"id": 2}], "total": 2}"#]
        let items = try await all(Wide.self, .number(size: 1), pages)
        XCTAssertEqual(items.map(\.id), [1, 2])
    }

    // MARK: Link (RFC 8288)

    private func linked(_ paging: Paging, _ links: [String?]) async throws -> [String?] {
        let number = Locked(0)
        let transport = ClosureTransport { request in
            let index = number.withLock { number in
                number += 1
                return number - 1
            }
            var headers: HTTPFields = ["Content-Type": "application/json"]
            if let link = links[min(index, links.count - 1)] { headers["Link"] = link }
            return TransportResponse(
                url: request.url, status: 200, headers: headers,
                body: .data(Data(#"[{"id": \#(2 * index)}, {"id": \#(2 * index + 1)}]"#.utf8)))
        }
        let manager = Stack(transport).manager(ListManager<ArrayPage<Tile>>(paging))
        while try await manager.nextPage() != nil {}
        XCTAssertEqual(manager.items.map(\.id), Array(0..<(2 * links.count)))
        return transport.requests.map { $0.url.query }
    }

    func testAnArrayEndsWhereItsLinksDo() async throws {
        let links = [
            #"<https://api.example.com/tiles?page=2&per_page=9>; rel="next", <https://api.example.com/tiles?page=3>; rel="last""#,
            #"</tiles?page=1>; rel=prev; title="a, <b>", </tiles?page=3>; title="x; rel=prev, \"y\""; rel="foo next""#,
            #"<https://api.example.com/tiles?page=1>; rel="first""#,
        ]
        let numbers = try await linked(.number(size: 9, sizeName: "per_page"), links)
        XCTAssertEqual(numbers, ["page=1&per_page=9", "page=2&per_page=9", "page=3&per_page=9"])
        let cursors = try await linked(
            .cursor(size: nil, name: "after"),
            [#"<?after=abc%3D>; rel="next""#, #"<?before=x>; rel="prev""#])
        XCTAssertEqual(cursors.map { $0?.removingPercentEncoding }, [nil, "after=abc="])
    }

    func testAnArrayWithoutLinksEndsWithAShortPage() async throws {
        let numbers = try await linked(.number(size: 3), [nil])
        XCTAssertEqual(numbers.count, 1)
        let other = try await linked(.number(size: 3), [#"<https://example.com/help>; rel="help""#])
        XCTAssertEqual(other.count, 1)
    }
}
