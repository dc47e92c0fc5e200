import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Lines, however the bytes are cut into pieces.
@MainActor
final class LineTests: XCTestCase {
    private func lines(_ pieces: [Data], limit: Int? = nil) async throws -> [String] {
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 200, body: .pieces(pieces))
        }
        var stream = try await Stack(transport).manager(StreamManager()).load()
        if let limit { stream.lineLimit = limit }
        var lines: [String] = []
        for try await line in stream.lines { lines.append(line) }
        return lines
    }

    func testEveryEndOfLineInPiecesOfEverySize() async throws {
        let text = Data("a\nb\r\nc\rd\n\ne\r\rf\r\n\r\n茶\r\nend".utf8)
        let expected = ["a", "b", "c", "d", "", "e", "", "f", "", "茶", "end"]
        for size in 1...text.count {
            let pieces = stride(from: 0, to: text.count, by: size).map {
                text[$0..<min($0 + size, text.count)]
            }
            let lines = try await lines(pieces)
            XCTAssertEqual(lines, expected, "pieces of \(size)")
        }
    }

    func testTheLastLineNeedsNoEnd() async throws {
        let with = try await lines([Data("a\n".utf8)])
        XCTAssertEqual(with, ["a"])
        let none = try await lines([])
        XCTAssertEqual(none, [])
        let empty = try await lines([Data("\n".utf8)])
        XCTAssertEqual(empty, [""])
    }

    func testBytesThatAreNotUTF8AreReplaced() async throws {
        let lines = try await lines([Data([0x61, 0xFF, 0x62, 0x0A, 0xE8, 0x8C])])
        XCTAssertEqual(lines.first, "a\u{FFFD}b")
        XCTAssertEqual(lines.last?.unicodeScalars.first, "\u{FFFD}")
    }

    func testALineIsBounded() async throws {
        let exact = try await lines([Data("123".utf8), Data("45\n1\n".utf8)], limit: 5)
        XCTAssertEqual(exact, ["12345", "1"])
        do {
            _ = try await lines([Data("ok\n123".utf8), Data("456".utf8)], limit: 5)
            XCTFail("a line of six")
        } catch let error as APIError {
            XCTAssertEqual(error.kind, .transfer(.lineTooLong(limit: 5)))
            XCTAssertTrue(error.description.contains("lineLimit"))
        }
    }

    func testALineIsToldBeforeWhatFollowsIsThere() async throws {
        let body = HandFedBody()
        let transport = ClosureTransport { TransportResponse(url: $0.url, status: 200, body: body.body) }
        var iterator = try await Stack(transport).manager(StreamManager()).load().lines.makeAsyncIterator()
        body.feed("a\r")
        let first = try await iterator.next()
        XCTAssertEqual(first, "a")
        body.feed("\nb\n")
        let second = try await iterator.next()
        XCTAssertEqual(second, "b")
        body.end()
    }
}
