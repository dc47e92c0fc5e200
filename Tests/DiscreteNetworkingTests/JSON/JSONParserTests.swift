import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingJSON

final class JSONParserTests: XCTestCase {
    // In the manner of https://github.com/nst/JSONTestSuite, y_ files.
    func testValidTextsAreParsed() throws {
        let texts: [(String, JSONValue)] = [
            ("[]", []), (" [ ] ", []), ("{}", [:]), ("{ \n}", [:]), ("null", nil), ("true", true),
            ("false", false),
            ("\"\"", ""), ("\"x\"", "x"), ("-0", .number(0)), ("[1\t,\r\n2 ]", [1, 2]), ("[[]]", [[]]),
            ("[null,1,\"1\",{}]", [nil, 1, "1", [:]]), ("[1E22]", [1e22]), ("[123.456e78]", [123.456e78]),
            ("[-123.0e-2]", [-1.23]), ("{\"\":0}", ["": 0]), ("{\"a\":\"b\",\"a\":\"c\"}", ["a": "c"]),
            ("{\"a\":{\"x\":1},\"a\":[]}", ["a": []]), ("{\"a\\u0000\":1}", ["a\u{0}": 1]),
            (#"["\"\\\/\b\f\n\r\t"]"#, ["\"\\/\u{8}\u{C}\n\r\t"]),
            (#"["\u0060\u012a\u12AB\uabcD"]"#, ["`Ī\u{12AB}\u{ABCD}"]),
            (#"["\uD834\uDd1e"]"#, ["𝄞"]), (#"["\uDBFF\uDFFF"]"#, ["\u{10FFFF}"]),
            (#"["\ufffe\uFFFF"]"#, ["\u{FFFE}\u{FFFF}"]),
            (#"["\\u0041"]"#, ["\\u0041"]), (#""\u0000""#, "\u{0}"), ("\"\u{7F}\"", "\u{7F}"),
            ("\"\u{2028}é😀\"", "\u{2028}é😀"),
            ("\u{FEFF}[1]", [1]),
        ]
        for (text, value) in texts {
            XCTAssertEqual(try JSONValue(parsing: text), value, text)
            XCTAssertEqual(try JSONValue(parsing: Data(text.utf8)), value, text)
        }
    }

    // The n_ files.
    func testInvalidTextsAreRefused() {
        let texts = [
            "", " ", "\u{FEFF}", "[", "]", "{", "}", "[1", "[1,", "[,1]", "[1,]", "[1,,2]", "[1 2]", "[1}",
            "{]", "[\"a\"",
            "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\":}",
            "{a:1}", "{'a':1}",
            "{1:1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{\"a\",1}", "{null:1}", "[\"a\":1]", "[]]", "{}}",
            "[] []", "1 2", "[]x",
            "nul", "nulll", "True", "tru", "fals", "NaN", "Infinity", "-Infinity", "-", "+1", "01", "-01",
            "1.", ".1", "1e",
            "1e+", "1.e1", "0x1", "1_0", "--1", "1-1", "[1.2.3]", "[-foo]", "\"", "\"a", "\"\\", "\"\\\"",
            "\"\\x\"",
            "\"\\u\"", "\"\\u12\"", "\"\\u123g\"", "\"\\U0041\"", "\"\t\"", "\"\n\"", "\"\u{0}\"",
            "\"\u{1F}\"", "'a'", "[a]", "// c\n1",
            "/**/1", "[1]//", "#", "\u{A0}1", "\u{B}1", "\u{C}[]", "[\u{2060}]", "１", "*", "\u{0}",
            "[1\u{0}]",
        ]
        for text in texts {
            XCTAssertThrowsError(try JSONValue(parsing: text), text)
            XCTAssertThrowsError(try JSONLocator(Data(text.utf8)).locate("a"), text)
        }
    }

    func testHalfSurrogatePairsAreRefused() {
        for text in [
            #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uDC00\uDC00""#, #""\uD800\n""#, #""\uD800x""#,
            #""\uDFFF\uD800""#,
            #""\uD800\u0041""#, #""\uD800\uDC0""#, #""\uD800\u""#, #""\uD800\"#, #""\uD800"#,
        ] {
            XCTAssertThrowsError(try JSONValue(parsing: text), text) { error in
                XCTAssertEqual((error as? JSONError)?.byteOffset, 1, text)
            }
        }
    }

    func testUTF8IsChecked() throws {
        let invalid: [[UInt8]] = [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xE0, 0x80, 0x80],
            [0xE0, 0x9F, 0xBF],
            [0xE1, 0x80], [0xE1, 0x80, 0x20], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF1, 0x80, 0x80],
            [0xF1, 0x80, 0x80, 0x20], [0xFE], [0xFF], [0xE5],
        ]
        for bytes in invalid {
            let text = [0x22, 0x61] + bytes + [0x22]
            XCTAssertThrowsError(try JSONParser.parse(text), "\(bytes)") { error in
                XCTAssertEqual((error as? JSONError)?.byteOffset, 2, "\(bytes)")
            }
            XCTAssertThrowsError(try JSONParser.parse([0x22, 0x61] + bytes), "\(bytes)")
            XCTAssertThrowsError(try JSONParser.parse(bytes), "\(bytes)")
            // Two scalars of three bytes each are read at once.
            let valid = Array("茶".utf8)
            for pair in [valid + bytes, bytes + valid] {
                XCTAssertThrowsError(
                    try JSONParser.parse([0x22] + pair + Array("..........\"".utf8)), "\(pair)")
            }
        }
        // The first and last scalar of each length.
        for scalar: Unicode.Scalar in [
            "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
        ] {
            XCTAssertEqual(try JSONValue(parsing: "\"\(scalar)\"").string?.unicodeScalars.first, scalar)
        }
    }

    func testNumbersKeepTheirLiteral() throws {
        let text = "[1.10,18446744073709551615,-0,1E+05,0.1000000000000000055511151231257827,1e99999]"
        XCTAssertEqual(try JSONValue(parsing: text).canonicalText, text)
        XCTAssertEqual(try JSONValue(parsing: text)[0]?.number?.literal, "1.10")
    }

    func testKeysOfOneTextAreOneKey() throws {
        let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        XCTAssertEqual(value.object?.count, 1)
        XCTAssertEqual(value["\u{E9}"], 2)
    }

    func testErrorsSayWhereAndWhat() {
        let cases: [(String, Int, Int, Int, String)] = [
            ("", 0, 1, 1, "expected a value, found end of input."),
            ("[1,\n  }]", 6, 2, 3, "expected a value, found '}'."),
            ("{\"é\":tru}", 9, 1, 9, "expected 'true', found '}'."),
            ("[1 2]", 3, 1, 4, "expected ',' or ']', found '2'."),
            ("{\"a\":1]", 6, 1, 7, "expected ',' or '}', found ']'."),
            ("{\"a\" 1}", 5, 1, 6, "expected ':', found '1'."),
            ("{1}", 1, 1, 2, "expected a string as key or '}', found '1'."),
            ("{\"a\":1,}", 7, 1, 8, "expected a string as key, found '}'."),
            ("[]x", 2, 1, 3, "expected end of input, found 'x'."),
            ("-x", 1, 1, 2, "expected a digit, found 'x'."),
            ("\"a\n\"", 2, 1, 3, "expected an escape instead of a bare control character, found byte 0x0A."),
            ("\"\\q\"", 2, 1, 3, "expected one of \" \\ / b f n r t u after '\\', found 'q'."),
        ]
        for (text, offset, line, column, end) in cases {
            XCTAssertThrowsError(try JSONValue(parsing: text), text) { error in
                let error = error as? JSONError
                XCTAssertEqual(error?.byteOffset, offset, text)
                XCTAssertEqual(error?.line, line, text)
                XCTAssertEqual(error?.column, column, text)
                XCTAssertEqual(
                    error?.description,
                    "Invalid JSON at line \(line), column \(column) (byte \(offset)): \(end)")
            }
        }
    }

    func testDepthIsLimited() throws {
        func nested(_ depth: Int, _ open: String, _ close: String, _ core: String = "") -> String {
            String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
        }
        XCTAssertNoThrow(try JSONValue(parsing: nested(512, "[", "]")))
        XCTAssertNoThrow(try JSONValue(parsing: nested(512, "{\"a\":", "}", "1")))
        XCTAssertNoThrow(try JSONLocator(Data(nested(512, "[", "]").utf8)).locate("0.0"))
        for text in [nested(513, "[", "]"), nested(513, "{\"a\":", "}", "1"), nested(1_000_000, "[", "")] {
            XCTAssertThrowsError(try JSONValue(parsing: text)) { error in
                XCTAssertEqual((error as? JSONError)?.expected, "at most 512 levels of nesting")
            }
            XCTAssertThrowsError(try JSONLocator(Data(text.utf8)).locate("a"))
        }
        // Wide is not deep.
        XCTAssertEqual(
            try JSONValue(parsing: "[" + nested(1, "[", "]") + String(repeating: ",[]", count: 2000) + "]")
                .array?.count, 2001)
    }

    func testTheDeepestValueFitsASmallStack() throws {
        let text = String(repeating: "{\"a\":[", count: 256) + "1" + String(repeating: "]}", count: 256)
        let done = expectation(description: "done")
        let thread = Thread {
            let value = try? JSONValue(parsing: text)
            XCTAssertEqual(value, try? JSONValue(parsing: text))
            XCTAssertEqual(value?.canonicalText, text)
            XCTAssertEqual(Set([value, value]).count, 1)
            done.fulfill()
        }
        // As threads other than the main one have on Apple systems.
        thread.stackSize = 512 * 1024
        thread.start()
        wait(for: [done], timeout: 50)
    }
}
