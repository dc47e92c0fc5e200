import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Bodies of many sizes, both ways.
extension BodiesConformance {
    private static let sizes = [
        0, 1, 2, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 1 << 20, 10 << 20,
    ]

    func testBodiesOfManySizesDown() async throws {
        let server = try serve { LoopbackResponse(body: .generated(count: Int($0.path.dropFirst()) ?? -1)) }
        for size in Self.sizes {
            for delivery in Delivery.allCases {
                let response = try await transport.fetch(server.request("/\(size)"), as: delivery).get()
                XCTAssertTrue(response.data == LoopbackResponse.pattern(count: size), "\(size), \(delivery)")
            }
        }
        XCTAssertEqual(server.acceptedConnections, Self.subject.connectionCount)
    }

    func testBodiesOfManySizesUp() async throws {
        let server = try LoopbackServer(keepsBodies: false) { .text("\($0.bodyCount)") }
        defer { server.stop() }
        for size in Self.sizes {
            let body = RequestBody.data(LoopbackResponse.pattern(count: size))
            let response = try await transport.send(server.request("/", .post, body: body))
            XCTAssertEqual(response.text, "\(size)")
            XCTAssertEqual(server.requests.last?.header("Content-Length"), "\(size)")
        }
        XCTAssertTrue(server.requests.allSatisfy(\.bodyIsPattern))
    }

    func testAnEmptyPostSaysSo() async throws {
        let server = try serve { _ in .text("ok") }
        for body in [RequestBody.none, .data(Data())] {
            let response = try await transport.send(server.request("/", .post, body: body))
            XCTAssertEqual(response.text, "ok")
        }
        XCTAssertEqual(server.requests.map { $0.header("Content-Length") }, ["0", "0"])
    }

    // MARK: The limit

    func testExactlyTheLimitIsNotTooLarge() async throws {
        for body in [
            LoopbackResponse.Body.generated(count: 4096), .chunks([Data(count: 4000), Data(count: 96)]),
            .untilClose(Data(count: 4096)),
        ] {
            let server = try serve { _ in LoopbackResponse(body: body) }
            let response = try await transport.send(server.request(limit: 4096))
            XCTAssertEqual(response.data.count, 4096)
        }
    }

    func testOneByteMoreThanTheLimitIsTooLarge() async throws {
        for body in [
            LoopbackResponse.Body.generated(count: 4097), .chunks([Data(count: 4000), Data(count: 97)]),
            .untilClose(Data(count: 4097)),
        ] {
            let server = try serve { _ in LoopbackResponse(body: body) }
            let error = await transport.outcome(of: server.request(limit: 4096)).error
            XCTAssertEqual(error?.kind, .responseTooLarge(limit: 4096))
            XCTAssertTrue(error?.message.contains("4096") == true)
        }
    }

    func testALimitOfNothing() async throws {
        let server = try serve { .text($0.path == "/empty" ? "" : "x") }
        let response = try await transport.send(server.request("/empty", limit: 0))
        XCTAssertEqual(response.data, Data())
        let kind = await transport.failure(server.request("/x", limit: 0))
        XCTAssertEqual(kind, .responseTooLarge(limit: 0))
    }

    func testATooLargeResponseIsNotFetchedToItsEnd() async throws {
        let server = try serve { _ in
            LoopbackResponse(body: .stream([.chunk(Data(count: 2000)), .wait(LoopbackGate())]))
        }
        let kind = await transport.failure(server.request(limit: 1000))
        XCTAssertEqual(kind, .responseTooLarge(limit: 1000))
        await server.waitForOpenConnections(atMost: 0)
    }

    func testAStreamHasNoLimit() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 80 << 20)) }
        var request = server.request()
        request.destination = .stream
        var count = 0
        for try await piece in try await transport.send(request).stream() { count += piece.count }
        XCTAssertEqual(count, 80 << 20)
    }

    // MARK: Progress

    func testProgressIsReportedBothWays() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 300_000)) }
        let seen = Locked<[TransferProgress]>([])
        var request = server.request("/", .post, body: .data(Data(count: 200_000)))
        request.onProgress = { progress in seen.withLock { $0.append(progress) } }
        _ = try await transport.send(request)
        XCTAssertEqual(seen.current.map(\.received).max(), 300_000)
        XCTAssertEqual(seen.current.map(\.sent).max(), 200_000)
        XCTAssertEqual(seen.current.compactMap(\.expectedToSend).max(), 200_000)
        XCTAssertEqual(seen.current.compactMap(\.expectedToReceive).max(), 300_000)
        let received = seen.current.map(\.received).filter { $0 > 0 }
        XCTAssertEqual(received, received.sorted())
    }
}
