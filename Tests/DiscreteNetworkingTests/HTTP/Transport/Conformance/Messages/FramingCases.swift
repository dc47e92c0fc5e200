import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Where a body ends (RFC 9112 section 6): what recipients could read differently is refused, and part of a body
/// is never a whole one.
extension MessagesConformance {
    private func assertRefused(
        _ response: String, as kinds: [TransportError.Kind] = [.badResponse], _ request: HTTPMethod = .get,
        file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        for delivery in Delivery.allCases {
            let server = try serve { _ in .bytes(response) }
            let outcome = await transport.fetch(server.request("/", request), as: delivery)
            let kind = outcome.error?.kind
            XCTAssertTrue(
                kind.map(kinds.contains) ?? false, "\(delivery), \(String(describing: kind)): \(response)",
                file: file, line: line)
        }
    }

    func testMalformedLengthsAreRefused() async throws {
        for value in [
            "99999999999999999999", "9223372036854775808", "0x5", "+5", "5;", " 5 5", "5, 6", "5,", ",5",
            "5,x", "-1",
            "-0", "", " ", "5.0", "5e0", "\"5\"", "five",
        ] {
            for body in ["he", "hello"] {
                try await assertRefused("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\n\(body)")
            }
        }
        try await assertRefused("HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 5;\r\n\r\nhello")
    }

    func testAMalformedLengthWithoutABodyIsRefused() async throws {
        try await assertRefused("HTTP/1.1 200 OK\r\nContent-Length: 5;\r\n\r\n", .head)
    }

    func testEqualLengthsAreOne() async throws {
        for fields in ["Content-Length: 5, 5", "Content-Length: 5\r\ncontent-length:\t5 , 5"] {
            for delivery in Delivery.allCases {
                let server = try serve { _ in .bytes("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello") }
                let response = try await transport.fetch(server.request(), as: delivery).get()
                XCTAssertEqual(response.text, "hello", fields)
            }
        }
    }

    func testALengthWithATransferCodingIsRefused() async throws {
        let chunks = "5\r\nhello\r\n0\r\n\r\n"
        for fields in [
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 15",
            "Content-Length: 5\r\nTransfer-Encoding: identity",
        ] {
            try await assertRefused("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(chunks)")
        }
    }

    func testOtherTransferCodingsAreRefused() async throws {
        for codings in [
            "identity", "gzip", "chunked, chunked", "chunked\r\nTransfer-Encoding: chunked",
            "chunked, identity",
            "xchunked", "chunked;q=1", "chunked, xyz",
        ] {
            try await assertRefused(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        }
    }

    func testHTTP10HasNoTransferCodings() async throws {
        try await assertRefused(
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
    }

    func testMalformedChunksAreRefused() async throws {
        for chunks in [
            "5\r\nhello\r\n0x5\r\nworld\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n",
            "5x\r\nhello\r\n0\r\n\r\n",
            "5 5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n",
            "5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello\r\r\n0\r\n\r\n",
            "5;a\nhello\r\n0\r\n\r\n", "10000000000000005\r\nhello\r\n0\r\n\r\n", "5\r\nhelloo\r\n0\r\n\r\n",
            "5\r\nhell\r\n0\r\n\r\n",
        ] {
            try await assertRefused("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
        }
    }

    func testChunksThatAreCutAreAnError() async throws {
        for chunks in [
            "A\r\nabc\r\n0\r\n\r\n", "5\r\nhello", "5\r\nhello\r\n", "5\r\nhello\r\n0\r\n",
            "5\r\nhello\r\n0\r\nX: 1\r\n",
            "", "5", "5;a",
        ] {
            try await assertRefused(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)",
                as: [.connectionLost, .badResponse])
        }
    }

    /// The excess would be the response to the next request on this connection.
    func testBytesAfterAResponseAreNotTheNextResponse() async throws {
        let other = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"
        // As long as the excess, so that `.slow` sends each of them in one piece.
        let (text, shorter) = (String(repeating: "x", count: 43), String(repeating: "x", count: 32))
        let framings = [
            ("Content-Length", "43", text, text),
            ("Transfer-Encoding", "chunked", "20\r\n\(shorter)\r\n0\r\n\r\n", shorter),
        ]
        for (name, value, body, text) in framings {
            XCTAssertEqual(body.utf8.count, other.utf8.count)
            for isLate in [false, true] {
                let server = try serve { request in
                    guard request.path == "/first" else { return .text("right") }
                    let excess = Data((body + other).utf8)
                    return LoopbackResponse(
                        headers: [(name, value)],
                        body: isLate
                            ? .slow(excess, bytesPerPiece: body.utf8.count, interval: 0.05) : .data(excess))
                }
                let transport = try Self.subject.make(.init())
                let response = try await transport.send(server.request("/first"))
                XCTAssertEqual(response.text, text)
                let sent = "HTTP/1.1 200 OK\r\n\(name): \(value)\r\n\r\n" + body + other
                await server.waitForSentBytes(sent.utf8.count)
                let next = await transport.fetch(server.request("/second"))
                XCTAssertNotEqual(next.success?.text, "other", "\(name), \(isLate ? "late" : "at once")")
                XCTAssertEqual(next.success?.text, "right", "\(name), \(isLate ? "late" : "at once")")
            }
        }
    }
}
