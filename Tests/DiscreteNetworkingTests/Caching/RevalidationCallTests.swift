import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Asking only for what is newer than what is kept.
@MainActor
final class RevalidationCallTests: XCTestCase {
    private static func validating(_ tag: Locked<String>) -> ClosureTransport {
        ClosureTransport { request in
            let tag = tag.current
            let isKnown = request.headers["If-None-Match"] == "\"\(tag)\""
            return TransportResponse(
                url: request.url, status: isKnown ? 304 : 200,
                headers: ["ETag": "\"\(tag)\"", "X-Seen": tag],
                body: .data(isKnown ? Data() : Data(#"{"id":7,"name":"\#(tag)"}"#.utf8)))
        }
    }

    func testConfirmedResponseIsNotTransferredAgain() async throws {
        let tag = Locked("a")
        let transport = Self.validating(tag)
        let stack = Stack(transport)
        let manager = stack.manager(keeping: CachePolicy(.revalidate, memory: 60))
        var names = [try await manager.load().name]
        stack.clock.advance(by: 3600)
        names.append(try await manager.load().name)
        XCTAssertEqual(manager.response?.isFromCache, true)
        XCTAssertEqual(manager.response?.status, 200)
        tag.current = "b"
        names.append(try await manager.load().name)
        XCTAssertEqual(manager.response?.isFromCache, false)
        names.append(try await manager.load().name)
        XCTAssertEqual(names, ["a", "a", "b", "b"])
        XCTAssertEqual(
            transport.requests.map { $0.headers["If-None-Match"] }, [nil, "\"a\"", "\"a\"", "\"b\""])
    }

    func testTheDateDoesWhereThereIsNoTag() async throws {
        let date = "Wed, 21 Oct 2015 07:28:00 GMT"
        let transport = ClosureTransport { request in
            let isKnown = request.headers["If-Modified-Since"] == date
            return TransportResponse(
                url: request.url, status: isKnown ? 304 : 200, headers: ["Last-Modified": date],
                body: .data(isKnown ? Data() : Data(teapot.utf8)))
        }
        let stack = Stack(transport)
        let manager = stack.manager(keeping: CachePolicy(.revalidate))
        let first = try await manager.load()
        let second = try await manager.load()
        XCTAssertEqual(first, second)
        XCTAssertEqual(transport.requests.count, 2)
    }

    /// Such an entity tag or date would end every later call before it is sent.
    func testAValidatorWithAControlCharacterIsNotSent() async throws {
        for name in ["ETag", "Last-Modified"] {
            let transport = ClosureTransport { request in
                TransportResponse(
                    url: request.url, status: 200,
                    headers: HTTPFields([
                        .init(name: try HTTPFields.Name(validating: name), value: "\"a\u{1B}\"")
                    ]),
                    body: .data(Data(teapot.utf8)))
            }
            let manager = Stack(transport).manager(keeping: CachePolicy(.revalidate))
            _ = try await manager.load()
            _ = try await manager.load()
            for request in transport.requests { try request.headers.validate() }
            XCTAssertEqual(transport.requests.count, 2, name)
        }
    }

    func testWithoutATagTheServerIsJustAsked() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: CachePolicy(.revalidate))
        var ids = [try await manager.load().id]
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 2])
    }
}
