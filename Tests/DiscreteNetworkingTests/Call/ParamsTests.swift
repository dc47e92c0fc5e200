import DiscreteNetworking
import Foundation
import XCTest

final class ParamsTests: XCTestCase {
    func testALiteralMayMixTypes() throws {
        let absent: Int? = nil
        let present: Int? = 3
        let price = try XCTUnwrap(Decimal(string: "1.10"))
        let params: Params = [
            "id": 7, "tags": ["a", "b"], "q": nil as String?, "price": price,
            "when": Date(timeIntervalSince1970: 0),
            "nested": ["x": 1, "y": "s"] as Params, "absent": absent, "present": present, "nil": nil,
            "json": ["a": [1, "b", nil]] as JSONValue, "map": ["k": 1], "null": JSONValue.null,
        ]
        XCTAssertEqual(
            params.canonical,
            #"{"id":7,"json":{"a":[1,"b",null]},"map":{"k":1},"nested":{"x":1,"y":"s"},"null":null,"present":3,"#
                + #""price":1.1,"tags":["a","b"],"when":"1970-01-01T00:00:00.000Z"}"#)
    }

    func testNilIsDroppedHoweverDeepItsOptionals() {
        let erased: any ParamValueConvertible = Int?.none
        let twice: Int?? = .some(nil)
        let params: Params = ["a": erased, "b": twice, "c": [nil, 1] as [Int?]]
        XCTAssertEqual(params.canonical, #"{"c":[null,1]}"#)
    }

    func testTheLastOfEqualNamesWins() {
        XCTAssertEqual((["a": 1, "b": 2, "a": 3] as Params).canonical, #"{"a":3,"b":2}"#)
        XCTAssertEqual((["a": 1, "a": nil] as Params), [:])
        XCTAssertEqual((["a": nil, "a": 1] as Params), ["a": 1])
    }

    func testASubscriptReadsWritesAndRemoves() {
        var params: Params = ["a": 1]
        XCTAssertEqual(params["a"], 1)
        XCTAssertNil(params["b"])
        params["b"] = "x"
        params.set("c", Date(timeIntervalSince1970: 0))
        params.set("d", 5 as Int?)
        XCTAssertEqual(params.names, ["a", "b", "c", "d"])
        params.set("d", nil)
        params.set("c", nil as Int?)
        params["b"] = nil
        XCTAssertEqual(params, ["a": 1])
        params["n"] = .null
        XCTAssertEqual(params.canonical, #"{"a":1,"n":null}"#)
        XCTAssertEqual(params.values, ["a": 1, "n": nil])
        XCTAssertEqual(params.count, 2)
        XCTAssertFalse(params.isEmpty)
        XCTAssertTrue(Params().isEmpty)
    }

    func testIterationIsSorted() {
        let params: Params = ["b": 1, "é": 2, "a": 3, "B": 4, "z": 5, "": 6]
        XCTAssertEqual(params.map(\.name), ["", "B", "a", "b", "z", "é"])
        XCTAssertEqual(params.map(\.value), [6, 4, 3, 1, 5, 2])
        XCTAssertEqual(params.names, params.map(\.name))
        var names: [String] = []
        for (name, _) in params { names.append(name) }
        XCTAssertEqual(names, params.names)
    }

    func testMergingAndRemovingLeaveTheOriginal() {
        let base: Params = ["a": 1, "b": 2]
        XCTAssertEqual(base.merging(["b": 3, "c": JSONValue.null]), ["a": 1, "b": 3, "c": JSONValue.null])
        var merged = base
        merged.merge(["b": 4])
        XCTAssertEqual(merged, ["a": 1, "b": 4])
        XCTAssertEqual(base.removing(["a", "z"]), ["b": 2])
        XCTAssertEqual(base.removing(Set(["a", "b"])), [:])
        XCTAssertEqual(base, ["a": 1, "b": 2])
    }

    func testEqualParamsAreOneCacheKey() {
        let left: Params = ["a": 1, "b": [1.5], "c": "x"]
        let right: Params = ["c": "x", "b": [1.5], "a": 1]
        XCTAssertEqual(left, right)
        XCTAssertEqual(left.hashValue, right.hashValue)
        XCTAssertEqual(left.canonical, right.canonical)
        XCTAssertEqual(left.description, left.canonical)
    }

    func testEncodableValuesAreEncodedExactly() throws {
        struct Query: Encodable {
            var id = UInt64.max
            var low = Int64.min
            var price = Decimal(string: "12345678901234567890.5")
            var none: String?
            var from = Date(timeIntervalSince1970: 0.5)
        }
        XCTAssertEqual(
            try Params(encoding: Query()).canonical,
            #"{"from":"1970-01-01T00:00:00.500Z","id":18446744073709551615,"low":-9223372036854775808,"#
                + #""price":12345678901234567890.5}"#)
        XCTAssertEqual(try Params(encoding: ["a": 1]), ["a": 1])
        let params: Params = ["p": try JSONValue(parsing: "1.10")]
        XCTAssertEqual(try Params(encoding: params).canonical, #"{"p":1.10}"#)
    }

    func testOnlyObjectsBecomeParams() {
        XCTAssertThrowsError(try Params(encoding: [1, 2])) { error in
            XCTAssertEqual(
                (error as? InvalidRequestError)?.reason,
                "Array<Int> encodes to an array; parameters need a type that encodes to an object.")
        }
        XCTAssertThrowsError(try Params(encoding: "secret")) { error in
            XCTAssertFalse("\(error)".contains("secret"))
        }
        XCTAssertThrowsError(try Params(encoding: Int?.none))
    }

    func testParamsDecodeWhatTheyEncode() throws {
        let params: Params = ["id": UInt64.max, "a": [1, nil] as [Int?]]
        XCTAssertEqual(try JSONDecoder().decode(Params.self, from: JSONEncoder().encode(params)), params)
        XCTAssertThrowsError(try JSONDecoder().decode(Params.self, from: Data("[]".utf8)))
    }
}
