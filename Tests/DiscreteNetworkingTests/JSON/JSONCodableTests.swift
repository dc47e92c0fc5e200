import DiscreteNetworking
import Foundation
import XCTest

final class JSONCodableTests: XCTestCase {
    private struct Item: Codable, Equatable {
        var id: UInt64
        var low: Int64
        var price: Decimal
        var ratio: Double
        var when: Date
        var tags: [String]
        var extra: JSONValue?
    }

    private func item() throws -> Item {
        Item(
            id: .max, low: .min, price: try XCTUnwrap(Decimal(string: "12345678901234567890.123456789")),
            ratio: 0.1,
            when: Date(timeIntervalSince1970: 1.5), tags: ["a"], extra: ["n": nil, "x": [1, 2.5]])
    }

    func testEncodersWriteExactNumbers() throws {
        for literal in [
            "18446744073709551615", "-9223372036854775808", "12345678901234567890.123456789", "0.1", "1.1",
        ] {
            let value = try JSONValue(parsing: literal)
            XCTAssertEqual(String(decoding: try JSONEncoder().encode(value), as: UTF8.self), literal)
            XCTAssertEqual(try JSONDecoder().decode(JSONValue.self, from: Data(literal.utf8)), value)
            XCTAssertEqual(
                try JSONDecoder().decode([JSONNumber].self, from: Data("[\(literal)]".utf8)), [value.number])
        }
    }

    func testNumbersBeyondDecimalAreRoundedToDouble() throws {
        for literal in ["1e300", "-2.5e-200", "1e200", "5e-324", "1e-150", "1.5e-128", "-123e127", "1e166"] {
            let value = try JSONValue(parsing: literal)
            XCTAssertEqual(
                try JSONDecoder().decode(JSONValue.self, from: Data(literal.utf8)).double, Double(literal),
                literal)
            XCTAssertEqual(
                try JSONValue(parsing: JSONEncoder().encode(value)).double, Double(literal), literal)
        }
        let long = try JSONValue(parsing: "0.12345678901234567890123456789012345678901234567890")
        XCTAssertEqual(try JSONValue(parsing: JSONEncoder().encode(long)).double, long.double)
        XCTAssertThrowsError(try JSONEncoder().encode(JSONValue(parsing: "1e999")))
    }

    func testDecodersGiveEveryKind() throws {
        let text = #"{"a":[null,true,false,0,1,-1.5,"1","",[],{}]}"#
        XCTAssertEqual(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).canonicalText, text)
        XCTAssertThrowsError(try JSONDecoder().decode(JSONNumber.self, from: Data("true".utf8))) {
            XCTAssertTrue($0 is DecodingError)
        }
    }

    func testPropertyListsWorkToo() throws {
        let value: JSONValue = ["a": [true, 1, -1, "x", 2.5], "b": ["c": 18.25]]
        let encoder = PropertyListEncoder()
        let whole: JSONValue = ["a": [true, 1, -1, "x"]]
        XCTAssertEqual(try PropertyListDecoder().decode(JSONValue.self, from: encoder.encode(whole)), whole)
        XCTAssertNoThrow(try encoder.encode(value))
    }

    func testTypesBecomeValuesAndBack() throws {
        let item = try item()
        let value = try JSONValue(encoding: item)
        XCTAssertEqual(
            value.canonicalText,
            #"{"extra":{"n":null,"x":[1,2.5]},"id":18446744073709551615,"low":-9223372036854775808,"#
                + #""price":12345678901234567890.123456789,"ratio":0.1,"tags":["a"],"#
                + #""when":"1970-01-01T00:00:01.500Z"}"#)
        XCTAssertEqual(try value.decoded(as: Item.self), item)
        let inferred: [Int] = try (["x": [1, 2]] as JSONValue)["x"]?.decoded() ?? []
        XCTAssertEqual(inferred, [1, 2])
        XCTAssertThrowsError(try ([:] as JSONValue).decoded(as: Item.self)) {
            XCTAssertTrue($0 is DecodingError)
        }
    }

    func testValuesAreTakenAsTheyAre() throws {
        let value = try JSONValue(parsing: "[1.10,1e999]")
        XCTAssertEqual(try JSONValue(encoding: value).canonicalText, "[1.10,1e999]")
        XCTAssertEqual(
            try JSONValue(encoding: Params(values: ["a": value])).canonicalText, #"{"a":[1.10,1e999]}"#)
    }

    func testTheCallersEncoderAndDecoderAreUsed() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        struct Body: Codable, Equatable { var userName: String, at: Date }
        let body = Body(userName: "x", at: Date(timeIntervalSince1970: 5))
        let value = try JSONValue(encoding: body, encoder: encoder)
        XCTAssertEqual(value, ["user_name": "x", "at": 5])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        XCTAssertEqual(try value.decoded(as: Body.self, decoder: decoder), body)
    }

    func testNonFiniteNumbersSurviveTheDefaultCoders() throws {
        let value = try JSONValue(encoding: [Double.nan, .infinity, -.infinity, 1])
        XCTAssertEqual(value, ["NaN", "Infinity", "-Infinity", 1])
        let doubles = try value.decoded(as: [Double].self)
        XCTAssertTrue(doubles[0].isNaN)
        XCTAssertEqual(Array(doubles[1...]), [.infinity, -.infinity, 1])
    }
}
