import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// What comes back: status, framing, interim responses.
extension MessagesConformance {
    func testEveryStatusComesBackAsItIs() async throws {
        let server = try serve { request in
            let status = Int(request.path.dropFirst()) ?? 0
            return .text("body of \(status)", status: status).adding("X-One", "\(status)")
        }
        for status in Array(200...599) + [600, 700, 799, 899, 999] {
            for _ in 0..<(status % 100 == 4 ? 2 : 1) {
                var request = server.request("/\(status)")
                request.notes.redirectPolicy = .refuse
                let response = try await transport.send(request)
                XCTAssertEqual(response.status, status)
                XCTAssertEqual(response.headers["x-one"], "\(status)", "\(status)")
                XCTAssertEqual(response.url, request.url, "\(status)")
                // The body of a redirect is a case of its own.
                guard !(300...399 ~= status) || status == 304 else { continue }
                XCTAssertEqual(response.text, [204, 304].contains(status) ? "" : "body of \(status)")
            }
        }
    }

    func testARedirectIsAResponseLikeAnyOther() async throws {
        for status in [301, 302, 303, 307, 308] {
            let server = try serve { _ in
                LoopbackResponse(
                    status: status, headers: [("Location", "/b")], body: .data(Data("moved".utf8)))
            }
            let response = try await transport.send(server.request("/a", .post, body: .data(Data("x".utf8))))
            XCTAssertEqual(response.status, status)
            XCTAssertEqual(response.headers["Location"], "/b")
            XCTAssertEqual(server.requests.map(\.target), ["/a"])
        }
    }

    func testARedirectHasABody() async throws {
        for delivery in Delivery.allCases {
            for (status, location) in [
                (300, nil), (301, "/b"), (302, nil), (305, nil), (306, nil), (307, "/b"),
            ] {
                let server = try serve { _ in
                    LoopbackResponse(
                        status: status, headers: location.map { [("Location", $0)] } ?? [],
                        body: .data(Data("moved".utf8)))
                }
                var request = server.request()
                request.notes.redirectPolicy = .refuse
                let response = try await transport.fetch(request, as: delivery).get()
                XCTAssertEqual(response.status, status)
                XCTAssertEqual(response.text, "moved", "\(status), \(delivery)")
            }
        }
    }

    func testBodiesOfEveryFraming() async throws {
        let pieces = (0..<50).map { Data(repeating: UInt8($0), count: $0 * 7 + 1) }
        let whole = pieces.reduce(Data(), +)
        let gate = LoopbackGate()
        gate.open()
        let bodies: [LoopbackResponse.Body] = [
            .data(whole), .chunks(pieces), .untilClose(whole), .gated(gate, whole),
            .stream(pieces.map(LoopbackResponse.Step.chunk)),
        ]
        for (index, body) in bodies.enumerated() {
            for delivery in Delivery.allCases {
                let server = try serve { _ in LoopbackResponse(body: body) }
                for _ in 0..<2 {
                    let response = try await transport.fetch(server.request(), as: delivery).get()
                    XCTAssertTrue(response.data == whole, "body \(index), \(delivery)")
                }
            }
        }
    }

    func testEmptyBodiesOfEveryFraming() async throws {
        for body in [LoopbackResponse.Body.data(Data()), .chunks([]), .untilClose(Data())] {
            for delivery in Delivery.allCases {
                let server = try serve { _ in LoopbackResponse(body: body) }
                for _ in 0..<2 {
                    let response = try await transport.fetch(server.request(), as: delivery).get()
                    XCTAssertEqual(response.data, Data())
                }
            }
        }
    }

    func testTrailersDoNotDisturb() async throws {
        let server = try serve { _ in
            LoopbackResponse(
                body: .chunks([Data("ok".utf8)], trailers: [("X-Sum", "7"), ("Server-Timing", "x;dur=1")]))
        }
        for delivery in Delivery.allCases {
            for _ in 0..<3 {
                let response = try await transport.fetch(server.request(), as: delivery).get()
                XCTAssertEqual(response.text, "ok")
            }
        }
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testChunksWithExtensionsAndOddSizes() async throws {
        let server = try serve { _ in
            .bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0003;name=\"v\"\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"
            )
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "abc0123456789")
    }

    func testResponsesWithoutABodyKeepTheConnection() async throws {
        for status in [204, 304] {
            let server = try serve { _ in .status(status).adding("ETag", "v1") }
            for delivery in Delivery.allCases {
                let response = try await transport.fetch(server.request(), as: delivery).get()
                XCTAssertEqual(response.status, status)
                XCTAssertEqual(response.data, Data())
                XCTAssertEqual(response.headers["ETag"], "v1")
            }
            XCTAssertEqual(server.acceptedConnections, Self.subject.connectionCount, "\(status)")
        }
    }

    func testAHeadHasNoBodyWhateverItsLength() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 1 << 20)) }
        for delivery in Delivery.allCases {
            let response = try await transport.fetch(server.request("/", .head), as: delivery).get()
            XCTAssertEqual(response.headers["Content-Length"], "\(1 << 20)")
            XCTAssertEqual(response.data, Data())
        }
        XCTAssertEqual(server.acceptedConnections, Self.subject.connectionCount)
    }

    func testInterimResponsesAreNotTheAnswer() async throws {
        for interim in [[100], [102], [103], [102, 103, 103], [199]] {
            let server = try serve { _ in
                var response = LoopbackResponse.text("real", status: 201)
                response.interim = interim
                return response
            }
            for delivery in Delivery.allCases {
                let response = try await transport.fetch(server.request(), as: delivery).get()
                XCTAssertEqual(response.status, 201, "\(interim)")
                XCTAssertEqual(response.text, "real", "\(interim)")
            }
        }
    }

    func testHeadersOfInterimResponsesAreNotTheAnswers() async throws {
        let server = try serve { _ in
            .bytes(
                "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nX-Early: 1\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Real: 1\r\n\r\nok")
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok")
        XCTAssertEqual(response.headers["X-Real"], "1")
        XCTAssertNil(response.headers["X-Early"])
    }

    func testAnInterimResponseAloneIsNoAnswer() async throws {
        for status in [100, 103] {
            for delivery in Delivery.allCases {
                let server = try serve { _ in .bytes("HTTP/1.1 \(status) Wait\r\n\r\n") }
                let outcome = await transport.fetch(server.request(), as: delivery)
                XCTAssertNotNil(outcome.error, "\(status)")
            }
        }
    }

    func testMalformedResponsesAreRefused() async throws {
        let heads = [
            "~~ this is no status line ~~\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 abc OK\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\r\n\r\n\r\n",
        ]
        for head in heads {
            for delivery in Delivery.allCases {
                let server = try serve { _ in .bytes(head) }
                let outcome = await transport.fetch(server.request(), as: delivery)
                XCTAssertNotNil(outcome.error, head)
            }
        }
    }
}
