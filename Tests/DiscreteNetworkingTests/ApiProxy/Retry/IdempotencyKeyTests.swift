import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// One key for all requests of an operation, and what it allows.
@MainActor
final class IdempotencyKeyTests: XCTestCase {
    private func order(on stack: Stack, key: ((Params) -> IdempotencyKey?)? = { _ in IdempotencyKey() })
        -> ProductManager
    {
        let manager = stack.manager(ProductManager())
        manager.methodName = "orders"
        manager.requestType = .post
        manager.ownKey = key
        return manager
    }

    // MARK: Repeats

    func testAllAttemptsOfACallHaveOneKey() async throws {
        let asked = Locked(-1)
        @Sendable func turn() -> Int {
            asked.withLock {
                $0 += 1
                return $0
            }
        }
        let server = try serve { _ in
            turn() % 3 < 2 ? .json("{}", status: 503) : .json(teapot)
        }
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.retry = RetryPolicy(base: 0)
        }
        let manager = order(on: stack)
        _ = try await manager.load(with: ["id": 7])
        _ = try await manager.load(with: ["id": 7])
        let keys = server.requests.map { $0.header("Idempotency-Key") ?? "" }
        XCTAssertEqual(keys.count, 6)
        XCTAssertEqual(Set(keys.prefix(3)).count, 1)
        XCTAssertEqual(Set(keys).count, 2, "another call is another operation")
        for key in keys {
            XCTAssertNotNil(
                key.range(
                    of: #"^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$"#, options: .regularExpression), key)
        }
    }

    func testAPOSTWithoutAKeyIsNotRetried() async {
        let transport = ClosureTransport { TransportResponse($0, json: "{}", status: 503) }
        let stack = Stack(transport) { $0.retry = RetryPolicy(base: 0) }
        let error = await failure(order(on: stack, key: nil))
        XCTAssertEqual(error?.kind, .http(status: 503))
        XCTAssertEqual(transport.requests.count, 1)
        XCTAssertNil(transport.requests[0].headers["Idempotency-Key"])
    }

    func testAPOSTWithAKeyFailsOverAfterItWasInterrupted() async throws {
        for hasKey in [true, false] {
            let transport = ClosureTransport { request in
                guard request.url.host == "b.example.com" else {
                    throw TransportError(.connectionLost, message: "lost")
                }
                return TransportResponse(request, json: teapot)
            }
            let stack = Stack(transport) {
                $0.failover = FailoverPolicy(to: [URL(string: "https://b.example.com")!])
            }
            let error = await failure(order(on: stack, key: hasKey ? { _ in "k" } : nil))
            XCTAssertEqual(error == nil, hasKey)
            let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
            XCTAssertEqual(keys, hasKey ? [#""k""#, #""k""#] : [nil])
        }
    }

    func testTheCallAfterARefreshHasTheSameKey() async throws {
        let session = TokenSession { _, _ in SessionTokens(accessToken: "new") }
        session.adopt(SessionTokens(accessToken: "old", refreshToken: "r"))
        let transport = ClosureTransport { request in
            request.headers["Authorization"] == "Bearer old"
                ? TransportResponse(request, json: "{}", status: 401)
                : TransportResponse(request, json: teapot)
        }
        _ = try await order(on: Stack(transport) { $0.session = session }).load()
        let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
        XCTAssertEqual(keys.count, 2)
        XCTAssertEqual(keys[0], keys[1])
    }

    func testRepeatingAFailedCallSendsItsKey() async throws {
        let fails = Locked(true)
        let transport = ClosureTransport { request in
            fails.current
                ? TransportResponse(request, json: "{}", status: 500)
                : TransportResponse(request, json: teapot)
        }
        let manager = order(on: Stack(transport))
        _ = await failure(manager, with: ["id": 7])
        fails.current = false
        let screen = EndScreen()
        manager.delegate = screen
        await withCheckedContinuation { continuation in
            screen.end = { continuation.resume() }
            XCTAssertNotNil(manager.repeatFailedCall())
        }
        let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
        XCTAssertEqual(keys.count, 2)
        XCTAssertEqual(keys[0], keys[1])
    }

    private final class EndScreen: APIManagerDelegate {
        var end: () -> Void = {}
        func managerDidSucceed(_ manager: BaseAPIManager) { end() }
        func managerDidFail(_ manager: BaseAPIManager) { end() }
    }

    // MARK: In the request

    func testTheKeyIsWhereTheServiceSays() async throws {
        let transport = ClosureTransport { TransportResponse($0, json: teapot) }
        let stack = Stack(transport)
        let key: (Params) -> IdempotencyKey? = {
            IdempotencyKey("order \($0["id"]?.canonicalText ?? "") \"a\\b\"")
        }
        _ = try await order(on: stack, key: key).load(with: ["id": 7])
        stack.change { $0.keyLocation = .header("X-Request-Token") }
        _ = try await order(on: stack, key: key).load(with: ["id": 7])
        stack.change { $0.keyLocation = .param("request_id") }
        _ = try await order(on: stack, key: key).load(with: ["id": 7, "request_id": 1])
        XCTAssertEqual(transport.requests[0].headers["Idempotency-Key"], #""order 7 \"a\\b\"""#)
        XCTAssertEqual(transport.requests[1].headers["X-Request-Token"], #"order 7 "a\b""#)
        XCTAssertNil(transport.requests[1].headers["Idempotency-Key"])
        guard case .data(let body) = transport.requests[2].body else { return XCTFail("no body") }
        XCTAssertEqual(
            String(decoding: body, as: UTF8.self), #"{"id":7,"request_id":"order 7 \"a\\b\""}"#)
        XCTAssertNil(transport.requests[2].headers["Idempotency-Key"])
    }

    func testAKeyThatNoFieldCanHaveIsRefused() async {
        let transport = ClosureTransport { TransportResponse($0, json: teapot) }
        for key in ["", "订单", "a\r\nX-Admin: 1", "\u{7f}"] {
            let error = await failure(order(on: Stack(transport), key: { _ in IdempotencyKey(key) }))
            guard case .invalidRequest(let reason)? = error?.kind else { return XCTFail("\(key) was sent") }
            XCTAssertTrue(reason.contains("use IdempotencyKey()"), reason)
        }
        XCTAssertEqual(transport.requests.count, 0)
    }
}
