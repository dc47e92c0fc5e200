import DiscreteNetworkingJSON
import Foundation
import XCTest

/// Conformances that are written with `DecodedMembers` and `EncodedMembers`, beside synthesized ones.
final class MembersTests: XCTestCase {
    private struct Synthesized: Codable, Equatable {
        var id: Int
        var name: String?
        var tags: [String]
        var inner: [String: Double]?
    }

    private struct Written: Codable, Equatable {
        var id: Int
        var name: String?
        var tags: [String]
        var inner: [String: Double]?

        init(from decoder: any Decoder) throws {
            let members = try decoder.members()
            id = try members.decode("id")
            name = try members.decodeIfPresent("name")
            tags = try members.decode("tags")
            inner = try members.decodeIfPresent("inner")
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.members()
            try members.encode(id, as: "id")
            try members.encodeIfPresent(name, as: "name")
            try members.encode(tags, as: "tags")
            try members.encodeIfPresent(inner, as: "inner")
        }
    }

    private static let texts = [
        #"{"id":1,"tags":[]}"#, #"{"id":1,"name":null,"tags":["a","茶"],"inner":{"x":0.5}}"#,
        #"{"inner":null,"tags":[""],"name":"é","id":-9007199254740993,"more":[1]}"#, #"{"tags":[]}"#,
        #"{"id":"1","tags":[]}"#, #"{"id":1,"tags":[1]}"#, #"{"id":1,"tags":null}"#, "[]", "null",
        #"{"id":1,"tags":[],"inner":{"x":"y"}}"#,
    ]

    /// The value, encoded again; or the kind and the place of the error.
    private func result<Model: Codable>(_ type: Model.Type, _ text: String, fast: Bool) -> String {
        do {
            let data = Data(text.utf8)
            let model =
                fast
                ? try FastJSONDecoder().decode(type, from: data) : try JSONDecoder().decode(type, from: data)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(model), as: UTF8.self)
        } catch DecodingError.keyNotFound(let key, let context) {
            return "no \(key.stringValue) in \(context.codingPath.map(\.stringValue))"
        } catch DecodingError.typeMismatch(_, let context) {
            return "type at \(context.codingPath.map(\.stringValue))"
        } catch DecodingError.valueNotFound(_, let context) {
            return "null at \(context.codingPath.map(\.stringValue))"
        } catch {
            return "\(error)"
        }
    }

    func testValuesAndErrorsAreThoseOfASynthesizedConformance() {
        for text in Self.texts {
            for fast in [true, false] {
                XCTAssertEqual(
                    result(Written.self, text, fast: fast), result(Synthesized.self, text, fast: fast), text)
            }
        }
    }

    func testNullDiffersFromAbsence() throws {
        struct Change: Decodable {
            let name: Nullable<String>?
            init(from decoder: any Decoder) throws { name = try decoder.members().decodeNullable("name") }
        }
        for (text, expected) in [("{}", nil), (#"{"name":null}"#, .null), (#"{"name":"a"}"#, .value("a"))]
            as [(String, Nullable<String>?)]
        {
            XCTAssertEqual(try JSONDecoder().decode(Change.self, from: Data(text.utf8)).name, expected, text)
            XCTAssertEqual(
                try FastJSONDecoder().decode(Change.self, from: Data(text.utf8)).name, expected, text)
        }
    }

    func testEncodedOptionalIsNull() throws {
        struct Reply: Encodable {
            func encode(to encoder: any Encoder) throws {
                var members = encoder.members()
                try members.encode(String?.none, as: "title")
            }
        }
        XCTAssertEqual(String(decoding: try JSONEncoder().encode(Reply()), as: UTF8.self), #"{"title":null}"#)
    }
}
