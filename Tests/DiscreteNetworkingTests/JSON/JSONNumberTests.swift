import DiscreteNetworking
import Foundation
import XCTest

final class JSONNumberTests: XCTestCase {
    private func number(_ literal: String) throws -> JSONNumber {
        try XCTUnwrap(JSONNumber(literal: literal), literal)
    }

    func testLiteralsAreKeptAsWritten() throws {
        for literal in ["1.10", "18446744073709551615", "-0", "0e0", "1E+05", "-12.500e-3", "0.0"] {
            XCTAssertEqual(try number(literal).literal, literal)
            XCTAssertEqual(try number(literal).description, literal)
        }
    }

    func testTextsOtherThanOneNumberAreRefused() {
        let texts = [
            "", " 1", "1 ", "+1", "01", "-01", ".5", "1.", "1.e5", "1e", "1e+", "-", "--1", "0x1", "1_000",
            "NaN",
            "Infinity", "1,5", "1e5.5", "٣", "1\u{301}", "\u{FEFF}1", "1 2", "true",
        ]
        for text in texts { XCTAssertNil(JSONNumber(literal: text), text) }
    }

    func testIntegersOfEveryWidth() {
        XCTAssertEqual(JSONNumber(Int.min).literal, "-9223372036854775808")
        XCTAssertEqual(JSONNumber(UInt64.max).literal, "18446744073709551615")
        XCTAssertEqual(JSONNumber(Int8(-128)).literal, "-128")
        XCTAssertEqual(JSONNumber(UInt8(255)).literal, "255")
        let literal: JSONNumber = 12
        XCTAssertEqual(literal.literal, "12")
    }

    func testFloatingPointIsTheShortestText() {
        let doubles: [(Double, String)] = [
            (0.1, "0.1"), (2, "2"), (-0.0, "-0"), (1e20, "1e+20"), (1.0 / 3, "0.3333333333333333"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "5e-324"),
            (9_007_199_254_740_992, "9007199254740992"),
        ]
        for (double, text) in doubles {
            XCTAssertEqual(JSONNumber(double)?.literal, text)
            XCTAssertEqual(JSONNumber(double)?.double, double)
            XCTAssertNotNil(JSONNumber(literal: text))
        }
        XCTAssertEqual(JSONNumber(Float(0.1))?.literal, "0.1")
        XCTAssertEqual(JSONNumber(Float(3))?.literal, "3")
    }

    func testNumbersThatJSONCannotWriteAreNil() {
        for value in [Double.nan, .infinity, -.infinity, .signalingNaN] { XCTAssertNil(JSONNumber(value)) }
        for value in [Float.nan, .infinity, -.infinity] { XCTAssertNil(JSONNumber(value)) }
        XCTAssertNil(JSONNumber(Decimal.nan))
    }

    func testDecimalsInFull() throws {
        for text in ["12345678901234567890.123456789", "-0.00000000000000000001", "0", "1.5"] {
            XCTAssertEqual(JSONNumber(try XCTUnwrap(Decimal(string: text)))?.literal, text)
        }
        let large = try XCTUnwrap(JSONNumber(Decimal.greatestFiniteMagnitude))
        XCTAssertNotNil(JSONNumber(literal: large.literal))
        XCTAssertEqual(large.decimal, Decimal.greatestFiniteMagnitude)
    }

    func testIntegersAreReadExactlyOrNotAtAll() throws {
        XCTAssertEqual(try number("9223372036854775807").int64, .max)
        XCTAssertNil(try number("9223372036854775808").int64)
        XCTAssertEqual(try number("-9223372036854775808").int64, .min)
        XCTAssertNil(try number("-9223372036854775809").int)
        XCTAssertEqual(try number("18446744073709551615").uint64, .max)
        XCTAssertNil(try number("18446744073709551616").uint64)
        XCTAssertNil(try number("-1").uint64)
        XCTAssertEqual(try number("-0").uint64, 0)
        XCTAssertEqual(try number("1.0").int, 1)
        XCTAssertEqual(try number("-1.20e1").int, -12)
        XCTAssertEqual(try number("18446744073709551615.00").uint64, .max)
        XCTAssertEqual(try number("100e-2").int, 1)
        XCTAssertEqual(try number("0e999999999999999999999999").int, 0)
        XCTAssertNil(try number("1.5").int)
        XCTAssertNil(try number("1e19").int64)
        XCTAssertEqual(try number("1e19").uint64, 10_000_000_000_000_000_000)
        XCTAssertNil(try number("1e99999999999999999999").int)
    }

    func testDoublesAreNearest() throws {
        XCTAssertEqual(try number("1.10").double, 1.1)
        XCTAssertEqual(try number("1e999").double, .infinity)
        XCTAssertEqual(try number("-1e999").double, -.infinity)
        XCTAssertEqual(try number("1e-999").double, 0)
        XCTAssertEqual(try number("1e99999999999999999999").double, .infinity)
        XCTAssertEqual(try number("-0").double.sign, .minus)
    }

    func testDecimalsAreReadExactlyOrNotAtAll() throws {
        XCTAssertEqual(try number("1.10").decimal, Decimal(string: "1.1"))
        XCTAssertEqual(try number("-0.5e1").decimal, -5)
        XCTAssertEqual(
            try number("12345678901234567890123456789012345678").decimal?.description,
            "12345678901234567890123456789012345678")
        XCTAssertEqual(try number("1e127").decimal, Decimal(sign: .plus, exponent: 127, significand: 1))
        XCTAssertEqual(try number("0").decimal, 0)
        XCTAssertNil(try number("1.234567890123456789012345678901234567890123").decimal)
        XCTAssertNil(try number("999999999999999999999999999999999999999").decimal)
        XCTAssertNil(try number("1.5e-128").decimal)
        XCTAssertNil(try number("1e400").decimal)
        XCTAssertNil(try number("1e-400").decimal)
        XCTAssertNil(try number("1e999999999999999999999999").decimal)
    }

    func testEqualityIsOfValues() throws {
        let classes = [
            ["0", "-0", "0.000", "0e5", "-0.0E-99999999999999999999999"],
            ["1", "1.0", "1e0", "10e-1", "0.1E+1", "0.01e2", "1.000000000000000000000000000000"],
            ["-1", "-1.0", "-10e-1"],
            ["100", "1e2", "1E02", "100.00"],
            ["18446744073709551616", "18446744073709551616.0", "1.8446744073709551616e19"],
            ["18446744073709551617"],
            ["1e400", "10e399", "0.1e401"], ["1e-400", "0.1e-399"],
            // On both sides of the 17 digits of exponent that are worked with as an integer.
            ["1e100000000000000000", "10e99999999999999999", "0.1e100000000000000001"],
            ["1e-100000000000000000", "0.1e-99999999999999999", "100e-100000000000000002"],
            ["1e999999999999999999999", "0.1e1000000000000000000000", "10e999999999999999999998"],
            [
                "1e1000000000000000000000", "10e999999999999999999999", "0.001e1000000000000000000003",
                "1e00001000000000000000000000",
            ],
            ["0.1", "0.10", "1e-1"], ["0.1000000000000000000000000000000000000000000001"],
        ]
        for (left, leftClass) in classes.enumerated() {
            for (right, rightClass) in classes.enumerated() {
                for a in leftClass {
                    for b in rightClass {
                        XCTAssertEqual(try number(a) == number(b), left == right, "\(a) \(b)")
                    }
                }
            }
            XCTAssertEqual(Set(try leftClass.map { try number($0).hashValue }).count, 1, "\(leftClass)")
        }
    }

    func testEqualityAgreesWithDecimal() throws {
        var random = JSONRandom(seed: 1)
        var equal = 0
        for _ in 0..<5000 {
            let texts = (0..<2).map { _ in
                let sign = random.chance(30) ? "-" : ""
                let fraction = random.chance(50) ? ".\(random.below(2))\(random.pick(["", "0", "00"]))" : ""
                return "\(sign)\(random.pick([0, 1, 10, 100]))\(fraction)e\(random.below(7) - 3)"
            }
            let decimals = try texts.map { try XCTUnwrap(Decimal(string: $0)) }
            let numbers = try texts.map(number)
            XCTAssertEqual(numbers[0] == numbers[1], decimals[0] == decimals[1], "\(texts)")
            XCTAssertEqual(numbers[0].decimal, decimals[0], texts[0])
            if numbers[0] == numbers[1] {
                equal += 1
                XCTAssertEqual(numbers[0].hashValue, numbers[1].hashValue, "\(texts)")
            }
        }
        XCTAssertGreaterThan(equal, 250)
    }
}
