import Foundation
import XCTest

@testable import DiscreteNetworkingTelemetry

/// The header fields of W3C Trace Context and Baggage.
final class TraceContextTests: XCTestCase {
    private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private let span = "00f067aa0ba902b7"

    func testTraceparentAndTracestateAreRead() throws {
        let context = try XCTUnwrap(
            TraceContext(traceparent: "00-\(trace)-\(span)-01", tracestate: "rojo=00f067aa0ba902b7"))
        XCTAssertEqual(context.traceID, trace)
        XCTAssertEqual(context.spanID, span)
        XCTAssertTrue(context.isSampled)
        XCTAssertEqual(context.tracestate, "rojo=00f067aa0ba902b7")
        XCTAssertEqual(context.traceparent, "00-\(trace)-\(span)-01")
        XCTAssertEqual(TraceContext(traceparent: "00-\(trace)-\(span)-00")?.isSampled, false)
        XCTAssertEqual(TraceContext(traceparent: "00-\(trace)-\(span)-ff")?.isSampled, true)
        // A later version is read as far as it is known, and answered as version 00.
        XCTAssertEqual(
            TraceContext(traceparent: "cc-\(trace)-\(span)-01-what-the-future-holds")?.traceparent,
            "00-\(trace)-\(span)-01")
    }

    /// From the cases of the W3C's own test suite.
    func testInvalidFieldsBeginATraceAnew() {
        let invalid = [
            "", "00", "00-\(trace)-\(span)", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-more",
            "00-\(trace)-\(span)-01-", "00-\(String(repeating: "0", count: 32))-\(span)-01",
            "00-\(trace)-\(String(repeating: "0", count: 16))-01", "00-\(trace.uppercased())-\(span)-01",
            "00-\(trace.dropLast())-\(span)-01", "00-\(trace)0-\(span)-01", "00-\(trace)-\(span)-1",
            "00-\(trace)-\(span)-.1", "0-\(trace)-\(span)-01", "000-\(trace)-\(span)-01",
            "xx-\(trace)-\(span)-01",
            "00-\(trace.dropLast()).-\(span)-01", "00-\(trace)-\(span.dropLast())g-01",
            "00_\(trace)_\(span)_01",
            "cc-\(trace)-\(span)-01.what", "00-\(trace)-\(span)-+1",
        ]
        for field in invalid { XCTAssertNil(TraceContext(traceparent: field), field) }
    }

    func testStatesThatNobodyHasToTakeAreDropped() {
        for state in ["", String(repeating: "a", count: 513), "a=茶", "a=\r\nX: y"] {
            XCTAssertNil(
                TraceContext(traceparent: "00-\(trace)-\(span)-01", tracestate: state)?.tracestate, state)
        }
    }

    func testIDsAreRandomAndWellFormed() {
        let contexts = (0..<10_000).map { _ in TraceContext() }
        XCTAssertEqual(Set(contexts.map(\.traceID)).count, contexts.count)
        XCTAssertEqual(Set(contexts.map(\.spanID)).count, contexts.count)
        for context in contexts { XCTAssertEqual(TraceContext(traceparent: context.traceparent), context) }
        let child = contexts[0].child()
        XCTAssertEqual(child.traceID, contexts[0].traceID)
        XCTAssertNotEqual(child.spanID, contexts[0].spanID)
    }

    func testBaggageIsPercentEncoded() {
        var context = TraceContext()
        XCTAssertNil(context.baggageField)
        context.baggage = ["user": "小明", "plan": "a b,c;d=e\"\\%", "not a token": "1"]
        XCTAssertEqual(context.baggageField, "plan=a%20b%2Cc%3Bd=e%22%5C%25,user=%E5%B0%8F%E6%98%8E")
        context.baggage = Dictionary(uniqueKeysWithValues: (0..<100).map { ("key\($0)", "v") })
        XCTAssertEqual(context.baggageField?.split(separator: ",").count, 64)
        context.baggage = ["a": String(repeating: "x", count: 9000), "b": "1"]
        XCTAssertEqual(context.baggageField, "b=1")
    }
}
