import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Params from whatever an app has: literals, untyped dictionaries, encodable values, enums, data.
final class UntypedParamsTests: XCTestCase {
    private enum Sort: String { case newest }
    private enum Level: Int { case high = 3 }
    private struct Filter: Encodable {
        let min = 1
        let names = ["a"]
    }

    func testLiteralsNeedNoCast() {
        let params: Params = [
            "tags": .array(of: []),
            "row": .array(of: [1, "a", nil, .array(of: [true, .object(of: ["x": 1.5])])]),
            "filter": .object(of: ["min": 1, "name": "b", "none": nil]), "sort": .raw(Sort.newest),
            "level": .raw(Level.high),
            "grid": [[1, 2], [3]], "pairs": ["a": ["b": [1]]], "cover": Data([0xFB, 0xFF]),
        ]
        XCTAssertEqual(
            params.canonical,
            #"{"cover":"+/8=","filter":{"min":1,"name":"b","none":null},"grid":[[1,2],[3]],"level":3,"pairs":{"a":{"b":[1]}},"row":[1,"a",null,[true,{"x":1.5}]],"sort":"newest","tags":[]}"#
        )
    }

    func testAnUntypedDictionaryBecomesParams() throws {
        let values: [String: Any] = [
            "int": 7, "text": "茶", "flag": true, "none": Int?.none as Any, "some": Optional("x") as Any,
            "null": NSNull(),
            "number": NSNumber(value: 1), "boolean": NSNumber(value: true), "double": NSNumber(value: 1.5),
            "big": NSNumber(value: UInt64.max),
            "mixed": [1, "a", NSNull(), ["k": [Int?.none as Any]]] as [Any],
            "date": Date(timeIntervalSince1970: 0), "sort": Sort.newest, "filter": Filter(),
            "data": Data([1]),
            "objc": NSString(string: "o"), "params": ["a": 1] as Params,
        ]
        XCTAssertEqual(
            try Params(untyped: values).canonical,
            #"{"big":18446744073709551615,"boolean":true,"data":"AQ==","date":"1970-01-01T00:00:00.000Z","double":1.5,"filter":{"min":1,"names":["a"]},"flag":true,"int":7,"mixed":[1,"a",null,{"k":[null]}],"null":null,"number":1,"objc":"o","params":{"a":1},"some":"x","sort":"newest","text":"茶"}"#
        )
    }

    func testObjectsOfJSONSerializationBecomeParams() throws {
        let text = #"{"a":[true,1,1.5,null,"x",{"b":false}]}"#
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        XCTAssertEqual(try Params(untyped: try XCTUnwrap(object)).canonical, text)
    }

    func testTheErrorNamesTheValue() {
        final class Screen {}
        let values: [String: Any] = ["filter": ["rows": [1, Screen()] as [Any]] as [String: Any]]
        XCTAssertThrowsError(try Params(untyped: values)) { error in
            let text = String(describing: error)
            XCTAssertTrue(text.contains(#""filter.rows.1""#) && text.contains("Screen"), text)
        }
        XCTAssertThrowsError(try Params(untyped: ["x": NSNumber(value: Double.nan)])) { error in
            // Where Foundation bridges it, a NaN is the same text as Swift's own.
            XCTAssertTrue(String(describing: error).contains(#""x""#), "\(error)")
        }
    }

    func testDepthIsLimited() {
        var value: Any = 1
        for _ in 0..<600 { value = [value] }
        XCTAssertThrowsError(try Params(untyped: ["deep": value]))
    }

    func testAnExistentialEncodableBecomesParams() throws {
        let value: any Encodable = Filter()
        XCTAssertEqual(try Params(encoding: value).canonical, #"{"min":1,"names":["a"]}"#)
    }
}
