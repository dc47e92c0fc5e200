import DiscreteNetworking
import Foundation
import XCTest

final class ParamValueConvertibleTests: XCTestCase {
    private enum Sort: String, ParamValueConvertible { case newest, oldest }
    private enum Level: Int, ParamValueConvertible { case high = 3 }
    private enum Grade: Character, ParamValueConvertible { case best = "A" }
    private struct Point: ParamValueConvertible {
        var x: Int
        var jsonValue: JSONValue { ["x": .number(JSONNumber(x))] }
    }

    func testTextsURLsAndUUIDsBecomeStrings() throws {
        XCTAssertEqual("é\"".jsonValue, .string("é\""))
        XCTAssertEqual("abc".dropFirst().jsonValue, "bc")
        XCTAssertEqual(Character("👍🏽").jsonValue, "👍🏽")
        let url = try XCTUnwrap(URL(string: "https://a.b/c%20d?e=f#g"))
        XCTAssertEqual(url.jsonValue, "https://a.b/c%20d?e=f#g")
        let relative = try XCTUnwrap(URL(string: "x/y", relativeTo: URL(string: "https://a.b/c/")))
        XCTAssertEqual(relative.jsonValue, "https://a.b/c/x/y")
        let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        XCTAssertEqual(try XCTUnwrap(UUID(uuidString: text)).jsonValue, .string(text.lowercased()))
    }

    func testEncodedUUIDsAreInLowerCase() throws {
        struct Order: Encodable {
            final class Line: Encodable {
                let id: UUID
                var next: Line?
                init(_ id: UUID) { self.id = id }
            }

            let id: UUID
            let other: UUID?
            let lines: [Line]
            let byName: [String: UUID]
            /// The app's own text.
            let label: String
        }
        let texts = [
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "0F8FAD5B-D9CB-469F-A165-70867728950E",
            "7C9E6679-7425-40DE-944B-E07FC1F90AE7",
        ]
        let ids = try texts.map { try XCTUnwrap(UUID(uuidString: $0)) }
        let line = Order.Line(ids[1])
        let order = Order(
            id: ids[0], other: nil, lines: [line, line], byName: ["A": ids[1]], label: texts[2])
        XCTAssertEqual(
            try Params(encoding: order).jsonValue,
            [
                "id": .string(texts[0].lowercased()),
                "lines": [["id": .string(texts[1].lowercased())], ["id": .string(texts[1].lowercased())]],
                "byName": ["A": .string(texts[1].lowercased())], "label": .string(texts[2]),
            ])
        XCTAssertEqual(try JSONValue(encoding: ids), .array(texts.map { .string($0.lowercased()) }))
    }

    /// A server that parses with a fixed format, such as `yyyy-MM-dd'T'HH:mm:ss.SSSX`, reads every date.
    func testDatesAlwaysHaveMilliseconds() throws {
        let whole = Date(timeIntervalSince1970: 1_709_209_800)
        XCTAssertEqual(whole.jsonValue, "2024-02-29T12:30:00.000Z")
        XCTAssertEqual(whole.addingTimeInterval(0.25).jsonValue, "2024-02-29T12:30:00.250Z")
        let params: Params = ["since": whole, "all": [whole]]
        XCTAssertEqual(
            params.canonical, #"{"all":["2024-02-29T12:30:00.000Z"],"since":"2024-02-29T12:30:00.000Z"}"#)
        XCTAssertEqual(try Params(encoding: ["since": whole])["since"], "2024-02-29T12:30:00.000Z")
    }

    func testNumbersKeepTheirExactValue() throws {
        let numbers: [any ParamValueConvertible] = [
            Int.min, Int8.min, Int16.min, Int32.min, Int64.min, UInt.max, UInt8.max, UInt16.max, UInt32.max,
            UInt64.max,
            0.1, Float(0.1), 2.0, try XCTUnwrap(Decimal(string: "0.30")), true, JSONNumber(5),
        ]
        XCTAssertEqual(
            numbers.map { $0.jsonValue.canonicalText },
            [
                "-9223372036854775808", "-128", "-32768", "-2147483648", "-9223372036854775808",
                "18446744073709551615", "255", "65535", "4294967295", "18446744073709551615", "0.1", "0.1",
                "2", "0.3",
                "true", "5",
            ])
    }

    func testNaNAndInfinityBecomeStrings() {
        XCTAssertEqual([Double.nan, .infinity, -.infinity].jsonValue, ["NaN", "Infinity", "-Infinity"])
        XCTAssertEqual([Float.nan, .infinity, -.infinity].jsonValue, ["NaN", "Infinity", "-Infinity"])
        XCTAssertEqual(Decimal.nan.jsonValue, "NaN")
    }

    func testArraysAndDictionariesConvertTheirElements() {
        XCTAssertEqual([1, nil, 3].jsonValue, [1, nil, 3])
        XCTAssertEqual([1, 2, 3].dropFirst().jsonValue, [2, 3])
        XCTAssertEqual(["a": ["b": [1.5]]].jsonValue, ["a": ["b": [1.5]]])
        XCTAssertEqual((nil as Int?).jsonValue, nil as JSONValue)
        XCTAssertEqual((7 as Int??).jsonValue, 7)
        XCTAssertEqual((["a": 1] as Params).jsonValue, ["a": 1])
        XCTAssertEqual(([1] as JSONValue).jsonValue, [1])
        XCTAssertEqual([Sort.newest, .oldest].jsonValue, ["newest", "oldest"])
    }

    func testArraysAndObjectsMayMixTypes() {
        XCTAssertEqual(
            JSONValue.array(of: [1, "a", nil, Sort.newest, [2.5]]), [1, "a", nil, "newest", [2.5]])
        XCTAssertEqual(JSONValue.object(of: ["a": 1, "b": nil, "c": "x"]), ["a": 1, "b": nil, "c": "x"])
        let existential: [any ParamValueConvertible] = [1, "a"]
        XCTAssertEqual(JSONValue.array(of: existential), [1, "a"])
    }

    func testEnumsAndOwnTypesAreConverted() {
        XCTAssertEqual(Sort.oldest.jsonValue, "oldest")
        XCTAssertEqual(Level.high.jsonValue, 3)
        XCTAssertEqual(Grade.best.jsonValue, "A")
        XCTAssertEqual(Point(x: 1).jsonValue, ["x": 1])
    }
}
