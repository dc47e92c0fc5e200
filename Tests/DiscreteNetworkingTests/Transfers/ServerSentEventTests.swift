import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// The parsing rules of WHATWG HTML section 9.2.6, most cases after the Web Platform Tests "eventsource".
@MainActor
final class ServerSentEventTests: XCTestCase {
    private func events(_ text: String, by size: Int = .max) async throws -> [ServerSentEvent] {
        let bytes = Data(text.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: min(size, max(bytes.count, 1)))
            .map { bytes[$0..<min($0 + min(size, bytes.count), bytes.count)] }
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 200, body: .pieces(pieces.map { Data($0) }))
        }
        let stream = try await Stack(transport).manager(StreamManager()).load()
        var events: [ServerSentEvent] = []
        for try await event in stream.events { events.append(event) }
        return events
    }

    private func data(_ text: String, by size: Int = .max) async throws -> [String] {
        try await events(text, by: size).map(\.data)
    }

    func testFieldsInPiecesOfEverySize() async throws {
        let text =
            "\u{FEFF}: comment\nid: 1\nevent: price\ndata: 茶\ndata:  two\r\n\r\nretry: 5\r\rdata\r\r:\n\n"
        for size in [1, 2, 3, 5, 7, .max] {
            let events = try await events(text, by: size)
            XCTAssertEqual(
                events,
                [
                    ServerSentEvent(id: "1", type: "price", data: "茶\n two"),
                    ServerSentEvent(id: "1", data: ""),
                ], "pieces of \(size)")
        }
    }

    func testDataMayBeEmptyButMustBeThere() async throws {
        let empty = try await data("data:\n\ndata\ndata\n\ndata:test\n\n")
        XCTAssertEqual(empty, ["", "\n", "test"])
        let none = try await data("event: x\nid: 1\n\n\n\n")
        XCTAssertEqual(none, [])
    }

    func testOnlyOneSpaceIsTakenAndNamesAreExact() async throws {
        let spaces = try await data("data:a\ndata: b\ndata:  c\ndata:\td\n\n")
        XCTAssertEqual(spaces, ["a\nb\n c\n\td"])
        let names = try await data(" data: no\nData: no\ndata : no\ndatab\ndata:yes\n\n")
        XCTAssertEqual(names, ["yes"])
        let colons = try await data("data:a:b: c\n\n")
        XCTAssertEqual(colons, ["a:b: c"])
    }

    func testTheTypeIsForOneEventTheIDForAllThatFollow() async throws {
        let events = try await events(
            "id: 1\nevent: a\ndata: x\n\ndata: y\n\nid\ndata: z\n\nevent: only\n\ndata: w\n\n")
        XCTAssertEqual(events.map(\.type), ["a", "message", "message", "message"])
        XCTAssertEqual(events.map(\.id), ["1", "1", "", ""])
    }

    func testAnIDWithNULIsIgnored() async throws {
        let events = try await events("id: 1\nid: 2\u{0}3\ndata: x\n\n")
        XCTAssertEqual(events.map(\.id), ["1"])
    }

    func testOnlyTheFirstBOMIsTaken() async throws {
        let events = try await data("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n\u{FEFF}\u{FEFF}data: c\n\n")
        XCTAssertEqual(events, ["a"])
    }

    func testAnEventThatIsNotCompleteIsNone() async throws {
        let unfinished = try await data("data: a\n\ndata: b\n")
        XCTAssertEqual(unfinished, ["a"])
        let cut = try await data("data: a\n\ndata: b")
        XCTAssertEqual(cut, ["a"])
    }

    func testRetryAndTheIDToNameNext() throws {
        var parser = EventParser(lastEventID: "0", limit: 100)
        func take(_ lines: String...) throws { for line in lines { _ = try parser.take(Array(line.utf8)) } }
        try take("retry: 5x", "retry: -1", "retry:", "retry: ５")
        XCTAssertNil(parser.retry)
        try take("retry: 1500")
        XCTAssertEqual(parser.retry, 1500, "at once")
        try take("retry: 99999999999999999999999")
        XCTAssertEqual(parser.retry, 1500, "more than can be counted")
        try take("id: 7")
        XCTAssertEqual(parser.lastEventID, "0", "not before the event ends")
        try take("")
        XCTAssertEqual(parser.lastEventID, "7", "even without data")
    }

    func testAnEventIsBounded() async throws {
        let line = "data: " + String(repeating: "x", count: 1 << 16) + "\n"
        let whole = try await data(String(repeating: line, count: 63) + "\n", by: 1 << 16)
        XCTAssertEqual(whole.map(\.utf8.count), [63 * ((1 << 16) + 1) - 1])
        do {
            _ = try await data(String(repeating: line, count: 65), by: 1 << 16)
            XCTFail("an event without end")
        } catch let error as APIError {
            XCTAssertTrue(error.description.contains("eventLimit"), error.description)
        }
    }

    func testEveryLineOfDataCounts() throws {
        var parser = EventParser(limit: 10)
        func take(_ lines: String...) throws -> ServerSentEvent? {
            try lines.reduce(nil) { _, line in try parser.take(Array(line.utf8)) }
        }
        XCTAssertEqual(try take("data: 12345", "data: 6789", "")?.data, "12345\n6789")
        XCTAssertThrowsError(try take("data: 12345", "data: 67890"))
        XCTAssertEqual(try take("")?.data, "12345")
        XCTAssertEqual(
            try take("data", "data", "data", "data", "data", "data", "data", "data", "data", "data", "")?
                .data,
            String(repeating: "\n", count: 9))
        for _ in 0..<10 { XCTAssertNil(try take("data")) }
        XCTAssertNil(try take("data"), "ten ends of lines")
        XCTAssertThrowsError(try take("data"), "what is empty takes place as well")
    }
}
