import XCTest

@testable import DiscreteNetworkingHTTP

final class ResponseFramingTests: XCTestCase {
    private func framing(_ lengths: [String], _ codings: [String] = [], allowsCodings: Bool = true) throws
        -> ResponseFraming
    {
        try ResponseFraming(lengths: lengths, codings: codings, allowsCodings: allowsCodings)
    }

    private func assertRefused(
        _ lengths: [String], _ codings: [String] = [], allowsCodings: Bool = true,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertThrowsError(
            try framing(lengths, codings, allowsCodings: allowsCodings), "\(lengths) \(codings)",
            file: file, line: line
        ) {
            XCTAssertEqual(($0 as? TransportError)?.kind, .badResponse, file: file, line: line)
        }
    }

    func testALengthIsOneNumber() throws {
        XCTAssertEqual(try framing([]), .untilClose)
        XCTAssertEqual(try framing(["0"]), .length(0))
        XCTAssertEqual(try framing(["\t 5 "]), .length(5))
        XCTAssertEqual(try framing(["5", "5, 5 ,\t5"]), .length(5))
        XCTAssertEqual(try framing([String(repeating: "0", count: 40) + "7"]), .length(7))
        XCTAssertEqual(try framing(["9223372036854775807"]), .length(.max))
    }

    func testAMalformedLengthIsRefused() {
        for value in [
            "", " ", "+5", "-5", "-0", "5;", "0x5", "5 5", "5.0", "5e1", "x", "٥", "5,", ",5", "5,,5", "5,x",
            "5\u{0B}", "5\u{A0}", "9223372036854775808", "99999999999999999999", "\"5\"",
        ] {
            assertRefused([value])
            assertRefused(["5", value])
            assertRefused([value, "5"])
        }
    }

    func testContradictingLengthsAreRefused() {
        assertRefused(["5", "6"])
        assertRefused(["5, 6"])
        assertRefused(["5, 05"])
        assertRefused(["5", "5, 6"])
    }

    func testTheOnlyTransferCodingIsChunked() throws {
        XCTAssertEqual(try framing([], ["chunked"]), .chunked)
        XCTAssertEqual(try framing([], ["CHUNKED"]), .chunked)
        for codings in [
            ["gzip"], ["gzip, chunked"], ["chunked, gzip"], ["chunked, chunked"], ["chunked", "chunked"],
            ["identity"], [""], ["xchunked"], ["chunked;q=1"], ["\u{0B}chunked"],
        ] {
            assertRefused([], codings)
        }
        assertRefused([], ["chunked"], allowsCodings: false)
    }

    func testALengthWithATransferCodingIsRefused() {
        assertRefused(["5"], ["chunked"])
        assertRefused(["5"], ["identity"])
    }
}
