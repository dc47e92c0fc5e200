import XCTest

@testable import DiscreteNetworkingTesting

final class FieldRuleTests: XCTestCase {
    func testEachRuleAcceptsItsTexts() {
        XCTAssertTrue(FieldRule.uuid.accepts("123e4567-e89b-12d3-a456-426614174000"))
        XCTAssertFalse(FieldRule.uuid.accepts("123e4567-e89b-12d3-a456-426614174000\n"))
        XCTAssertTrue(FieldRule.timestamp.accepts("1709209800"))
        XCTAssertTrue(FieldRule.timestamp.accepts("1709209800250"))
        XCTAssertTrue(FieldRule.timestamp.accepts("2024-02-29T12:30:00.250+08:00"))
        XCTAssertFalse(FieldRule.timestamp.accepts("12:30"))
        XCTAssertTrue(FieldRule.hexadecimal(4).accepts("0aF9"))
        XCTAssertFalse(FieldRule.hexadecimal(4).accepts("0aF"))
        XCTAssertTrue(FieldRule.hexadecimal().accepts("0aF"))
        XCTAssertFalse(FieldRule.digits.accepts(""))
        XCTAssertTrue(FieldRule.matching("a|b").accepts("b"))
        XCTAssertFalse(FieldRule.matching("a|b").accepts("ab"))
        XCTAssertFalse(FieldRule.matching("(").accepts("("), "an expression that is none matches nothing")
        XCTAssertTrue(FieldRule.any.accepts(""))
        XCTAssertFalse(FieldRule.any.accepts(nil))
        XCTAssertTrue(FieldRule.absent.accepts(nil))
        XCTAssertFalse(FieldRule.absent.accepts(""))
        XCTAssertTrue(("a" as FieldRule).accepts("a"))
    }

    func testDifferenceShowsChangedLines() {
        func text(_ expected: String, _ actual: String) -> String {
            LineDifference.text(expected: expected.map(String.init), actual: actual.map(String.init))
                .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces).filter { $0 != " " } }
                .joined(separator: " ")
        }
        XCTAssertEqual(text("abc", "abc"), "a b c")
        XCTAssertEqual(text("abc", "axc"), "a -b +x c")
        XCTAssertEqual(text("", "ab"), "+a +b")
        XCTAssertEqual(text("ab", ""), "-a -b")
        XCTAssertEqual(text("abcd", "bcde"), "-a b c d +e")
        XCTAssertEqual(text("abcdef", "axbcyfz"), "a +x b c -d -e +y f +z")
    }
}
