import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Servers that mean harm: what they send is refused, or brought whole, and never without bound.
extension MessagesConformance {
    // MARK: Heads and trailers

    /// What has no length of its own ends long before the server does.
    private func checkFlood(_ part: LoopbackFault.Part) async throws {
        for delivery in Delivery.allCases {
            let server = try serve { _ in .fault(.flood(part, bytes: 64 << 20)) }
            let outcome = await transport.fetch(server.request(), as: delivery)
            XCTAssertNotNil(outcome.error, "\(delivery)")
            await server.waitForOpenConnections(atMost: 0)
            // The system holds some megabytes on their way.
            XCTAssertLessThan(server.sentBytes, 16 << 20, "\(delivery)")
        }
    }

    func testInterimResponsesWithoutEndAreRefused() async throws { try await checkFlood(.interimResponses) }
    func testFieldsWithoutEndAreRefused() async throws { try await checkFlood(.headers) }
    func testTrailersWithoutEndAreRefused() async throws { try await checkFlood(.trailers) }

    func testLengthsThatContradictEachOtherAreRefused() async throws {
        for lengths in [["5", "6"], ["6", "5"], ["5, 6"]] {
            let server = try serve { _ in
                var response = LoopbackResponse(body: .data(Data("hello!".utf8)))
                response.headers = lengths.map { ("Content-Length", $0) }
                response.closesConnection = true
                return response
            }
            for delivery in Delivery.allCases {
                let outcome = await transport.fetch(server.request(), as: delivery)
                XCTAssertNotNil(outcome.error, "\(lengths), \(delivery)")
            }
        }
    }

    func testALengthThatIsSaidTwiceIsOne() async throws {
        let server = try serve { _ in
            LoopbackResponse(
                headers: [("Content-Length", "2"), ("Content-Length", "2")], body: .data(Data("ok".utf8)))
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok")
    }

    func testAHeaderNamedLikeAStatusLine() async throws {
        let server = try serve { _ in
            LoopbackResponse(
                headers: [("X-Before", "1"), ("HTTP/1.1 404 Gone", "x"), ("X-After", "2")],
                body: .chunks([Data("ok".utf8)]))
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.headers["X-Before"], "1")
        XCTAssertEqual(response.headers["X-After"], "2")
        XCTAssertEqual(response.text, "ok")
    }

    func testATrailerNamedLikeAStatusLine() async throws {
        let server = try serve { _ in
            LoopbackResponse(
                headers: [("X-Real", "1")],
                body: .chunks([Data("ok".utf8)], trailers: [("HTTP/1.1 500 Gone", "x"), ("X-Late", "2")]))
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.headers["X-Real"], "1")
        XCTAssertNil(response.headers["X-Late"])
    }

    // MARK: Headers that go out

    /// Equal as Swift strings, which compare by canonical equivalence; not the same bytes.
    func testHeaderValuesThatOnlyLookAlikeGoOutAsTheyAre() async throws {
        let server = try serve { _ in .text("ok") }
        let values = ["caf\u{E9}", "cafe\u{301}", "\u{212B}", "A\u{30A}"]
        for value in values { _ = try await transport.send(server.request(headers: ["X-Name": value])) }
        let sent = server.requests.map { Array(($0.header("X-Name") ?? "").utf8) }
        XCTAssertEqual(sent, values.map { Array($0.utf8) })
    }

    // MARK: Codings

    func testMoreThanTwoCodingsAreRefused() async throws {
        for layers in [3, 100, 8_000] {
            let server = try serve { _ in .nested(Data("ok".utf8), layers: layers) }
            for delivery in Delivery.allCases {
                let error = await transport.fetch(server.request(), as: delivery).error
                XCTAssertEqual(error?.kind, .badResponse, "\(layers) layers, \(delivery)")
            }
        }
    }

    func testTwoCodingsAreTakenOff() async throws {
        let server = try serve { _ in .nested(Data("ok".utf8), layers: 2) }
        for delivery in Delivery.allCases {
            let response = try await transport.fetch(server.request(), as: delivery).get()
            XCTAssertEqual(response.text, "ok", "\(delivery)")
        }
    }

    func testACodedBodyThatComesToNothingIsRefused() async throws {
        let response = LoopbackResponse.emptyMembers(100_000)
        let server = try serve { _ in response }
        for delivery in Delivery.allCases {
            let outcome = await transport.fetch(server.request(), as: delivery)
            XCTAssertNotNil(outcome.error, "\(delivery)")
        }
    }
}
