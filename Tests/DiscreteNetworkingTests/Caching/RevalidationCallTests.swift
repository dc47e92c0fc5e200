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

    /// The cache builds the request before the session says whether its token is still valid.
    func testARequestThatTheCacheHasBuiltIsSentWithTheTokensOfNow() async throws {
        let transport = Self.validating(Locked("a"))
        let (start, now) = (Date(timeIntervalSince1970: 1_000_000), Locked(Date()))
        now.current = start
        let session = TokenSession(
            policy: RefreshPolicy(ahead: 60),
            refresh: { _, _ in SessionTokens(accessToken: "new", refreshToken: "r", expiry: start + 9000) },
            now: { now.current })
        session.adopt(SessionTokens(accessToken: "old", refreshToken: "r", expiry: start + 3600))
        let stack = Stack(transport) { $0.session = session }
        let builds = Locked(0)
        stack.change { $0.adapt = { _, _ in builds.withLock { $0 += 1 } } }
        let manager = stack.manager(keeping: CachePolicy(memory: 60))
        for (time, count) in [(0, 1), (1, 1), (4000, 2)] as [(TimeInterval, Int)] {
            now.current = start + time
            stack.clock.advance(by: 3600)
            let before = builds.current
            _ = try await manager.load()
            XCTAssertEqual(builds.current - before, count, "requests built after \(time) s")
        }
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] },
            ["Bearer old", "Bearer old", "Bearer new"])
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
        XCTAssertEqual(transport.requests.map { $0.headers["If-Modified-Since"] }, [nil, date])
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
