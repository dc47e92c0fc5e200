import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Connections that are used again, and those that the server closed meanwhile.
extension ConnectionsConformance {
    func testAConnectionIsUsedAgain() async throws {
        let server = try serve { _ in .text("ok") }
        for index in 0..<20 {
            let body = RequestBody.data(Data(count: index))
            let request = index.isMultiple(of: 2) ? server.request() : server.request("/", .put, body: body)
            _ = try await transport.send(request)
        }
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testAConnectionIsUsedAgainForAPost() async throws {
        let server = try serve { _ in .text("ok") }
        for _ in 0..<5 {
            _ = try await transport.send(server.request("/", .post, body: .data(Data(count: 9))))
        }
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testAConnectionThatTheServerClosesIsNotUsedAgain() async throws {
        let server = try serve { _ in .text("ok").adding("Connection", "close") }
        for _ in 0..<5 {
            let response = try await transport.send(server.request())
            XCTAssertEqual(response.text, "ok")
        }
        XCTAssertEqual(server.acceptedConnections, 5)
    }

    func testAnAnswerWithoutALengthEndsItsConnection() async throws {
        let server = try serve { _ in LoopbackResponse(body: .untilClose(Data("ok".utf8))) }
        for delivery in Delivery.allCases {
            let response = try await transport.fetch(server.request(), as: delivery).get()
            XCTAssertEqual(response.text, "ok")
        }
        XCTAssertEqual(server.acceptedConnections, 2)
    }

    // MARK: Closed by the server while nobody used it

    /// Promises to keep the connection, and closes it right after the answer.
    private static func closesQuietly(_ request: LoopbackRequest) -> LoopbackResponse {
        var response = LoopbackResponse.text("\(request.bodyCount)").adding("Connection", "keep-alive")
        response.closesConnection = true
        return response
    }

    func testEveryMethodAfterTheServerHasClosedTheConnection() async throws {
        let server = try serve(Self.closesQuietly)
        let body = LoopbackResponse.pattern(count: 70_000)
        for method in [HTTPMethod.post, .put, .patch, .delete, .post, .put] {
            _ = try await transport.send(server.request("/first"))
            await server.waitForOpenConnections(atMost: 0)
            let response = try await transport.send(server.request("/second", method, body: .data(body)))
            XCTAssertEqual(response.text, "70000", "\(method)")
            await server.waitForOpenConnections(atMost: 0)
        }
        XCTAssertTrue(server.requests.allSatisfy { $0.path == "/first" || $0.body == body })
        XCTAssertEqual(server.requests.count, 12)
    }

    func testUploadsFromFileAndStreamAfterTheServerHasClosedTheConnection() async throws {
        let server = try serve(Self.closesQuietly)
        let file = try patternFile(70_000)
        for body in [
            RequestBody.file(file), .stream(length: nil, Self.patternStream(70_000)),
            .stream(length: 70_000, Self.patternStream(70_000)),
        ] {
            _ = try await transport.send(server.request("/first"))
            await server.waitForOpenConnections(atMost: 0)
            let response = try await transport.send(server.request("/second", .post, body: body))
            XCTAssertEqual(response.text, "70000")
            await server.waitForOpenConnections(atMost: 0)
        }
        XCTAssertEqual(server.requests.count, 6)
    }

    // MARK: Closed by the server in answer to a request

    /// Answers the first request of a connection, and closes or resets it when the next has come.
    private func hangUp(_ fault: LoopbackFault) throws -> LoopbackServer {
        let met = Locked<Set<Int>>([])
        return try serve { request in
            let isFirst = met.withLock { $0.insert(request.connection).inserted }
            return isFirst ? .text("\(request.bodyCount)") : .fault(fault)
        }
    }

    func testAGetOnAConnectionThatEndsIsSentOnceMore() async throws {
        for fault in [LoopbackFault.close, .reset] {
            let server = try hangUp(fault)
            for method in [HTTPMethod.get, .head] {
                _ = try await transport.send(server.request("/first"))
                let response = try await transport.send(server.request("/second", method))
                XCTAssertEqual(response.status, 200, "\(fault)")
            }
            XCTAssertEqual(
                server.requests.filter { $0.path == "/second" }.map(\.method), ["GET", "GET", "HEAD", "HEAD"])
        }
    }

    func testAPostOnAConnectionThatEndsIsNeverSentTwice() async throws {
        for fault in [LoopbackFault.close, .reset] {
            let server = try serve { $0.path == "/first" ? .text("ok") : .fault(fault) }
            for method in [HTTPMethod.post, .patch] {
                for body in [RequestBody.none, .data(Data("order".utf8))] {
                    _ = try await transport.send(server.request("/first"))
                    let outcome = await transport.outcome(of: server.request("/second", method, body: body))
                    // A new connection that ends without a response is a bad one for Foundation on Linux.
                    let kinds: [TransportError.Kind?] = [.connectionLost, .badResponse]
                    XCTAssertTrue(kinds.contains(outcome.error?.kind), "\(method), \(fault): \(outcome)")
                }
            }
            let seconds = server.requests.filter { $0.path == "/second" }
            XCTAssertEqual(seconds.map(\.method), ["POST", "POST", "PATCH", "PATCH"], "\(fault)")
            XCTAssertEqual(
                seconds.map { String(decoding: $0.body, as: UTF8.self) }, ["", "order", "", "order"])
        }
    }

    func testAGetThatIsNeverAnsweredIsSentTwiceAtMost() async throws {
        let server = try serve { $0.path == "/first" ? .text("ok") : .fault(.close) }
        _ = try await transport.send(server.request("/first"))
        let kind = await transport.failure(server.request("/second"))
        XCTAssertTrue(kind == .connectionLost || kind == .badResponse, "\(String(describing: kind))")
        XCTAssertLessThanOrEqual(server.requests.count, 3)
    }

    func testAnswersAreNotMixedUp() async throws {
        let server = try serve { .text("answer to \($0.target)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<32 {
                group.addTask { [transport] in
                    for index in 0..<20 {
                        let path = "/\(caller)/\(index)"
                        let response = try await transport.send(server.request(path))
                        XCTAssertEqual(response.text, "answer to \(path)")
                    }
                }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(server.requests.count, 640)
        XCTAssertLessThanOrEqual(server.acceptedConnections, 64)
    }
}
