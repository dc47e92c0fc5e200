import DiscreteNetworking
import Foundation
import XCTest

final class JSONValueTests: XCTestCase {
    private let value: JSONValue = [
        "null": nil, "true": true, "int": 7, "float": 1.5, "text": "s\(1)", "list": [1, "b", nil],
        "deep": ["a.b": ["0": "zero"]],
    ]

    func testLiteralsBecomeValues() {
        XCTAssertEqual(
            value.canonicalText,
            #"{"deep":{"a.b":{"0":"zero"}},"float":1.5,"int":7,"list":[1,"b",null],"null":null,"#
                + #""text":"s1","true":true}"#)
        XCTAssertEqual(["a": 1, "b": 2, "a": 3] as JSONValue, ["a": 3, "b": 2])
        XCTAssertEqual([:] as JSONValue, .object([:]))
        XCTAssertEqual([] as JSONValue, .array([]))
    }

    func testAccessorsGiveTheirOwnKindOnly() throws {
        let all: [JSONValue] = [nil, true, 1, "1", [], [:]]
        XCTAssertEqual(all.map(\.isNull), [true, false, false, false, false, false])
        XCTAssertEqual(all.map(\.bool), [nil, true, nil, nil, nil, nil])
        XCTAssertEqual(all.map(\.number), [nil, nil, 1, nil, nil, nil])
        XCTAssertEqual(all.map(\.int), [nil, nil, 1, nil, nil, nil])
        XCTAssertEqual(all.map(\.int64), [nil, nil, 1, nil, nil, nil])
        XCTAssertEqual(all.map(\.uint64), [nil, nil, 1, nil, nil, nil])
        XCTAssertEqual(all.map(\.double), [nil, nil, 1, nil, nil, nil])
        XCTAssertEqual(all.map(\.decimal), [nil, nil, 1, nil, nil, nil])
        XCTAssertEqual(all.map(\.string), [nil, nil, nil, "1", nil, nil])
        XCTAssertEqual(all.map { $0.array != nil }, [false, false, false, false, true, false])
        XCTAssertEqual(all.map { $0.object != nil }, [false, false, false, false, false, true])
    }

    func testSubscriptsNeverTrap() {
        XCTAssertEqual(value["int"], 7)
        XCTAssertEqual(value["list"]?[1], "b")
        for index in [3, -1, .max, .min] { XCTAssertNil(value["list"]?[index]) }
        XCTAssertNil(value["missing"])
        XCTAssertNil(value["int"]?["x"])
        XCTAssertNil(value[0])
        XCTAssertNil(value["text"]?[0])
    }

    func testNullIsNotAbsence() {
        XCTAssertTrue(value["missing"] == nil)
        XCTAssertFalse(value["null"] == nil)
        XCTAssertEqual(value["null"]?.isNull, true)
    }

    func testPathsFindNestedValues() {
        XCTAssertEqual(value[path: "list.0"], 1)
        XCTAssertEqual(value[path: ["deep", "a.b", "0"]], "zero")
        XCTAssertEqual(value[path: ""], value)
        for path: JSONPath in [
            "list.3", "list.-1", "list.+1", "list.x", "list.99999999999999999999", "deep.a.b", "int.x",
            "list.",
            "list.0.0", "list.٠",
        ] {
            XCTAssertNil(value[path: path], path.description)
        }
    }

    func testTextOfAPathIsSplitAtDots() {
        XCTAssertEqual(JSONPath("data.items.0").components, ["data", "items", "0"])
        XCTAssertEqual(JSONPath("").components, [])
        XCTAssertEqual(JSONPath("a..b").components, ["a", "", "b"])
        XCTAssertEqual(JSONPath("a.b").description, "a.b")
        XCTAssertEqual((["a.b", "c"] as JSONPath).description, #"["a.b", "c"]"#)
        XCTAssertEqual(([""] as JSONPath).description, #"[""]"#)
        XCTAssertEqual("a.b" as JSONPath, ["a", "b"])
    }
}
