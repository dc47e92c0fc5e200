import DiscreteNetworking
import DiscreteNetworkingTesting
import EverythingAPI
import Foundation
import XCTest

/// Generated lists, loaded to their end.
@MainActor
final class PageValueTests: XCTestCase {
    private let stubs = StubTransport()

    private func ids<Page: APIPage>(
        _ manager: some PagedAPIManager<Page>, _ answers: [StubAnswer]
    ) async throws -> [String] where Page.Item == Thing {
        stubs.on(type(of: manager), answers: answers)
        let service = EverythingService.self
        manager.proxy = ApiProxy(stubbing: stubs, [.everything: service])
        while try await manager.nextPage() != nil {}
        stubs.verifyAllUsed()
        return manager.items.map(\.id)
    }

    private func things(_ ids: String...) -> String {
        "[" + ids.map { #"{"id": "\#($0)", "thing": "t"}"# }.joined(separator: ", ") + "]"
    }

    func testRequiredMembersOfAPageAreRead() async throws {
        let cursors = try await ids(
            ListRequiredManager(),
            [
                .text(#"{"data": \#(things("a", "b")), "has_more": true, "next_cursor": "x"}"#),
                .text(#"{"data": \#(things("c")), "has_more": false, "next_cursor": "y"}"#),
            ])
        XCTAssertEqual(cursors, ["a", "b", "c"])
        let counted = try await ids(
            ListCountedManager(),
            [
                .text(#"{"items": \#(things("a")), "total": 2}"#),
                .text(#"{"items": \#(things("b")), "total": 2}"#),
            ])
        XCTAssertEqual(counted, ["a", "b"])
    }

    func testACursorInsideAnObjectIsRead() async throws {
        let ids = try await ids(
            ListNestedManager(),
            [
                .text(
                    #"{"members": \#(things("a")), "response_metadata": {"next_cursor": "x"}, "paging": {"total": 2}}"#
                ),
                .text(#"{"members": \#(things("b")), "response_metadata": {"next_cursor": ""}}"#),
            ])
        XCTAssertEqual(ids, ["a", "b"])
        XCTAssertEqual(stubs.requests.last?.url.query, "cursor=x&limit=20")
    }

    func testTheIDOfTheLastItemIsACursor() async throws {
        let ids = try await ids(
            ListLastManager(),
            [
                .text(#"{"data": \#(things("a", "b")), "has_more": true}"#),
                .text(#"{"data": \#(things("c")), "has_more": false}"#),
            ])
        XCTAssertEqual(ids, ["a", "b", "c"])
        XCTAssertEqual(stubs.requests.last?.url.query, "limit=20&starting_after=b")
    }

    func testAnArrayWithLinksIsAPage() async throws {
        let ids = try await ids(
            ListLinkedManager(),
            [
                .text(things("a")).adding(
                    "Link", #"<https://api.example.com/v3/pages/linked?page=2>; rel="next""#),
                .text(things("b")).adding(
                    "Link", #"<https://api.example.com/v3/pages/linked?page=1>; rel="prev""#),
            ])
        XCTAssertEqual(ids, ["a", "b"])
    }

    // MARK: References in place of operations

    func testAReferenceInPlaceOfAnOperationIsFollowed() async throws {
        let get = GetReferredManager()
        let put = PutReferredManager()
        for manager in [get, put] as [BaseAPIManager] {
            manager.proxy = ApiProxy(stubbing: stubs, [.everything: EverythingService.self])
        }
        stubs.on(answer: .text(#"{"id": "a", "thing": "t"}"#))
        let thing = try await get.load(with: .init(filter: "f"))
        XCTAssertEqual(thing.id, "a")
        _ = try await put.load(with: .init(id: 7, body: Filter(min: 1)))
        XCTAssertEqual(
            stubs.requests.map(\.url.absoluteString),
            [
                "https://api.example.com/v3/pages/referred?filter=f",
                "https://api.example.com/v3/pages/referred/7",
            ])
    }
}
