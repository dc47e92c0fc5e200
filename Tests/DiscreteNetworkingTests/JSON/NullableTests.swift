import DiscreteNetworking
import Foundation
import XCTest

/// The three states of an optional `Nullable`: left out, null, a value.
final class NullableTests: XCTestCase {
    private struct Patch: Codable, Hashable {
        var title: String?
        var poet: Nullable<String>?
        var written: Nullable<Date>?
        var next: Nullable<Patch>?
    }

    private static let date = Date(timeIntervalSince1970: 1_709_209_800)
    private static let patches: [(patch: Patch, json: String)] = [
        (Patch(), "{}"),
        (Patch(poet: .null), #"{"poet":null}"#),
        (Patch(title: "Frog", poet: .value("Basho")), #"{"poet":"Basho","title":"Frog"}"#),
        (
            Patch(written: .value(date), next: .value(Patch(written: .null))),
            #"{"next":{"written":null},"written":"2024-02-29T12:30:00.000Z"}"#
        ),
    ]

    func testEachStateIsEncodedAndDecodedAgain() throws {
        let encoder = JSONValue.makeEncoder()
        encoder.outputFormatting = .sortedKeys
        for (patch, json) in Self.patches {
            XCTAssertEqual(String(decoding: try encoder.encode(patch), as: UTF8.self), json)
            let decoder = JSONValue.makeDecoder()
            XCTAssertEqual(try decoder.decode(Patch.self, from: Data(json.utf8)), patch)
            XCTAssertEqual(
                try FastJSONDecoder(decoder).decode(Patch.self, from: Data(json.utf8)), patch)
        }
    }

    func testParamsLeaveOutNilAndSendNull() {
        let left: Nullable<String>? = nil
        let params: Params = ["a": Nullable<Int>.null, "b": Nullable.value(7), "c": left]
        XCTAssertEqual(params.jsonValue, ["a": .null, "b": 7])
    }

    func testAnOptionalIsAValueOrNull() {
        XCTAssertEqual(Nullable("Basho"), .value("Basho"))
        XCTAssertEqual(Nullable(String?.none), .null)
    }
}
