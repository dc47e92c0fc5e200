import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Values that code nests deeper than any text may be.
final class JSONDepthTests: XCTestCase {
    private static let depth = 50_000

    /// Takes the value apart afterwards, from the outside in: the
    /// runtime releases what is nested by recursion.
    private func nested(_ leaf: JSONValue, inObjects: Bool = false, _ body: (JSONValue) -> Void) {
        var value = leaf
        for level in 0..<Self.depth { value = inObjects && level % 2 == 0 ? ["a": value] : [value, 1] }
        body(value)
        while let inner = value["a"] ?? value[0] { value = inner }
    }

    func testDeepValuesAreWritten() {
        nested("x") { value in
            let text = value.canonicalText
            XCTAssertEqual(text.utf8.count, Self.depth * 4 + 3)
            XCTAssertTrue(text.hasPrefix("[[[[") && text.hasSuffix(",1],1]"))
            XCTAssertEqual(value.description.isEmpty, false)
            XCTAssertNotNil(Mirror(reflecting: value))
        }
        nested(1.5, inObjects: true) { XCTAssertTrue($0.canonicalText.hasPrefix(#"[{"a":[{"a":["#)) }
    }

    func testComparingAndHashing() {
        for inObjects in [false, true] {
            nested("x", inObjects: inObjects) { left in
                nested("x", inObjects: inObjects) { right in
                    XCTAssertTrue(left == right)
                    XCTAssertEqual(left.hashValue, right.hashValue)
                }
                nested("y", inObjects: inObjects) { XCTAssertFalse(left == $0) }
            }
        }
    }

    func testParamsThatAreTooDeepAreNotSent() async {
        var deep: JSONValue = "x"
        for _ in 0..<600 { deep = [deep] }
        let calls: [APICall] = [.stub("a", ["a": deep], method: .post), .stub("a", ["a": deep])]
        for call in calls {
            let reason = await refusal(call)
            XCTAssertEqual(reason?.contains("512"), true, reason ?? "")
        }
        XCTAssertThrowsError(try JSONEncoder().encode(deep)) { XCTAssertTrue($0 is EncodingError) }
    }

    /// Equal values still hash alike, whatever the order of their members and the way their numbers are written.
    func testEqualityIsThatOfBefore() throws {
        let texts = [
            #"{"a":1,"b":[1.0,"é"],"c":{}}"#, #"{"c":{},"b":[1e0,"e\u0301"],"a":1.00}"#,
            #"{"a":1,"b":[1.0,"é"]}"#,
            #"{"a":1,"b":[1.0,"é"],"d":{}}"#, "[]", "{}", "[1,[2]]", "[[1],2]", "[null]", "[[]]", "null",
            "\"\"",
        ]
        let values = try texts.map { try JSONValue(parsing: $0) }
        for (left, a) in values.enumerated() {
            for (right, b) in values.enumerated() {
                let areSame = left == right || Set([left, right]) == [0, 1]
                XCTAssertEqual(a == b, areSame, "\(texts[left]) \(texts[right])")
                if areSame { XCTAssertEqual(a.hashValue, b.hashValue) }
            }
        }
    }

    // MARK: Keys

    /// Normalizing so many marks takes time that grows with their square (UAX #15, section 13).
    func testAKeyOfNothingButMarksIsRefused() throws {
        let marks = String(repeating: "\u{316}\u{301}", count: 100_000)
        let escaped = String(repeating: #"\u0316\u0301"#, count: 100_000)
        for key in [marks, escaped, "a" + marks] {
            XCTAssertThrowsError(try JSONValue(parsing: "{\"\(key)\":1}")) {
                XCTAssertTrue("\($0)".contains("consecutive combining marks"), "\($0)")
            }
        }
        XCTAssertEqual(try JSONValue(parsing: "[\"\(marks)\"]")[0]?.string?.utf8.count, marks.utf8.count)
        let most = "a" + String(repeating: "\u{301}", count: 30)
        XCTAssertNoThrow(try JSONValue(parsing: "{\"\(most)\(most)\":1}"))
    }
}
