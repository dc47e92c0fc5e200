import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// What makes several calls belongs to the user for whom it began: the next user's token goes out with none of them.
@MainActor
final class WorkUserTests: XCTestCase {
    private let session = TokenSession()

    /// Bob takes Alice's place while the first request is answered.
    private func stack(
        _ answer: @escaping @Sendable (APIRequest) -> TransportResponse
    ) -> (Stack, ClosureTransport) {
        session.adopt(SessionTokens(accessToken: "alice"))
        let isFirst = Locked(true)
        let transport = ClosureTransport { [session] request in
            let changes = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if changes {
                try? await session.logOut()
                session.adopt(SessionTokens(accessToken: "bob"))
            }
            return answer(request)
        }
        return (Stack(transport) { [session] in $0.session = session }, transport)
    }

    private func assertOnlyAlice(_ transport: ClosureTransport, line: UInt = #line) {
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] }, ["Bearer alice"], line: line)
    }

    func testChainDoesNotContinueForAnotherUser() async {
        let (stack, transport) = stack { TransportResponse($0, json: teapot) }
        let second = stack.manager(ProductManager())
        let chain = APIChain(stack.manager(ProductManager())).then { _ in second.with(["id": 8]) }
        do throws(APIError) {
            _ = try await chain.load()
            XCTFail("The second step has to fail.")
        } catch {
            XCTAssertEqual(error.kind, .loginRequired)
        }
        assertOnlyAlice(transport)
    }

    func testGroupDoesNotContinueForAnotherUser() async {
        let (stack, transport) = stack { TransportResponse($0, json: teapot) }
        let group = APIGroup((1...3).map { _ in stack.manager(ProductManager()) }, limit: 1)
        let results = await group.loadAll()
        XCTAssertEqual(results.map(\.kind), [nil, .loginRequired, .loginRequired])
        assertOnlyAlice(transport)
    }

    /// A step that logs in is a part of the chain, and those after it are for the new user.
    func testAChainThatLogsIn() async throws {
        session.adopt(SessionTokens(accessToken: "alice"))
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { [session] in $0.session = session }
        let second = stack.manager(ProductManager())
        let chain = APIChain(stack.manager(ProductManager())).then { [session] _ in
            session.adopt(SessionTokens(accessToken: "bob"))
            return second.with(["id": 8])
        }
        _ = try await chain.load()
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] }, ["Bearer alice", "Bearer bob"])
    }

    /// What a step has begun and left behind is no part of the group any more.
    func testATaskThatOutlivesTheGroup() async throws {
        session.adopt(SessionTokens(accessToken: "alice"))
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { [session] in $0.session = session }
        let (second, later) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        let gate = Gate()
        var outliving: Task<APIError?, Never>?
        let chain = APIChain(stack.manager(ProductManager())).then { _ in
            outliving = Task {
                await gate.pass()
                return await failure(later)
            }
            return second.with(["id": 8])
        }
        _ = try await chain.load()
        try await session.logOut()
        session.adopt(SessionTokens(accessToken: "bob"))
        gate.open()
        let error = await outliving?.value
        XCTAssertNil(error ?? nil)
        XCTAssertEqual(transport.requests.last?.headers["Authorization"], "Bearer bob")
    }

    func testTheNextPageOfAList() async throws {
        let server = TileServer(9)
        let (stack, transport) = stack { TransportResponse($0, json: server.answer($0.query)) }
        let manager = stack.manager(TileManager(.number(size: 3)))
        _ = try await manager.load()
        do throws(APIError) {
            _ = try await manager.nextPage()
            XCTFail("The second page is another user's.")
        } catch {
            XCTAssertEqual(error.kind, .loginRequired)
        }
        assertOnlyAlice(transport)
        XCTAssertEqual(manager.items.map(\.id), [], "what was Alice's is forgotten")

        // A list that starts anew is the new user's.
        _ = try await manager.reload()
        _ = try await manager.nextPage()
        XCTAssertEqual(transport.requests.last?.headers["Authorization"], "Bearer bob")
    }

    func testALoopOverItems() async {
        let server = TileServer(9)
        let (stack, transport) = stack { TransportResponse($0, json: server.answer($0.query)) }
        var seen: [Int] = []
        do {
            for try await tile in stack.manager(TileManager(.number(size: 3))).allItems() {
                seen.append(tile.id)
            }
            XCTFail("The second page is another user's.")
        } catch {
            XCTAssertEqual((error as? APIError)?.kind, .loginRequired)
        }
        XCTAssertEqual(seen, [0, 1, 2])
        assertOnlyAlice(transport)
    }

    func testEventSourceDoesNotReconnectForAnotherUser() async {
        let (stack, transport) = stack { request in
            TransportResponse(
                url: request.url, status: 200, headers: ["Content-Type": "text/event-stream"],
                body: .pieces(["id: 1\ndata: alice's\n\n"], error: nil))
        }
        let source = stack.manager(StreamManager()).events(with: nil, reconnectingAfter: 3) { _ in }
        var seen: [String] = []
        do {
            for try await event in source {
                seen.append(event.data)
                if seen.count > 2 { break }
            }
        } catch {
            XCTAssertEqual((error as? APIError)?.kind, .loginRequired)
        }
        XCTAssertEqual(seen, ["alice's"])
        assertOnlyAlice(transport)
    }

    /// One user's bytes are never the beginning of another's file, even where the server calls them the same version.
    func testAPartialFile() throws {
        func request(_ authorization: String) -> APIRequest {
            APIRequest(
                url: URL(string: "https://example.com/file")!, headers: ["Authorization": authorization])
        }
        let response = TransportResponse(
            url: URL(string: "https://example.com/file")!, status: 200,
            headers: ["ETag": "\"v1\"", "Content-Length": "100"])
        let point = try XCTUnwrap(ResumePoint(request("Bearer alice"), response))
        XCTAssertTrue(point.fits(request("Bearer alice")))
        XCTAssertFalse(point.fits(request("Bearer bob")))

        // The tokens of a session change; its user does not.
        func sessionRequest(_ token: String, of user: String) -> APIRequest {
            var request = request(token)
            request.notes.identity.session = (["Authorization": token], user)
            return request
        }
        let own = try XCTUnwrap(ResumePoint(sessionRequest("Bearer 1", of: "alice"), response))
        XCTAssertTrue(own.fits(sessionRequest("Bearer 2", of: "alice")))
        XCTAssertFalse(own.fits(sessionRequest("Bearer 2", of: "bob")))
    }
}
