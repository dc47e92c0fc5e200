import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Days, structs that contain themselves, and members that a type does not know.
final class FullDateTests: XCTestCase {
    func testOnlyDaysOfTheCalendarAreParsed() throws {
        for text in ["2024-02-29", "0000-01-01", "9999-12-31", "2000-02-29"] {
            XCTAssertEqual(FullDate(text)?.description, text)
            XCTAssertEqual(FullDate(text)?.jsonValue, .string(text))
        }
        for text in [
            "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "2024-01-32", "",
            "2024-01-01T",
            "+024-01-01", "2024-01--1", "２024-01-01",
        ] {
            XCTAssertNil(FullDate(text), text)
        }
        XCTAssertLessThan(try XCTUnwrap(FullDate("2023-12-31")), try XCTUnwrap(FullDate("2024-01-01")))
        let decoded = try JSONDecoder().decode([FullDate].self, from: Data(#"["2024-02-29"]"#.utf8))
        XCTAssertEqual(String(decoding: try JSONEncoder().encode(decoded), as: UTF8.self), #"["2024-02-29"]"#)
        XCTAssertThrowsError(try JSONDecoder().decode([FullDate].self, from: Data(#"["2024-02-30"]"#.utf8)))
    }

    private struct Comment: Decodable, Equatable {
        let text: String
        var answer: Comment? {
            get { reply?.value }
            set { reply = newValue.map { Indirect($0) } }
        }
        private var reply: Indirect<Comment>?

        init(text: String, answer: Comment?) {
            self.text = text
            reply = answer.map { Indirect($0) }
        }

        private enum CodingKeys: String, CodingKey {
            case text
            case reply = "answer"
        }
    }

    func testIndirectDecodesAStructThatContainsItself() throws {
        let json = #"{"text": "a", "answer": {"text": "b", "answer": null}}"#
        var comment = try JSONDecoder().decode(Comment.self, from: Data(json.utf8))
        XCTAssertEqual(comment, Comment(text: "a", answer: Comment(text: "b", answer: nil)))
        comment.answer?.answer = Comment(text: "c", answer: nil)
        XCTAssertEqual(comment.answer?.answer?.text, "c")
        XCTAssertThrowsError(
            try JSONDecoder().decode(Comment.self, from: Data(#"{"text": "a", "answer": 1}"#.utf8)))
    }

    private struct Labels: Decodable {
        let id: Int
        let others: [String: String]

        init(from decoder: any Decoder) throws {
            let members = try decoder.members()
            id = try members.decode("id")
            others = try members.decodeAll(except: ["id"])
        }
    }

    func testAdditionalPropertiesAreTheUnknownMembers() throws {
        let labels = try JSONDecoder().decode(Labels.self, from: Data(#"{"id": 1, "a": "x", "b": "y"}"#.utf8))
        XCTAssertEqual(labels.id, 1)
        XCTAssertEqual(labels.others, ["a": "x", "b": "y"])
        XCTAssertThrowsError(try JSONDecoder().decode(Labels.self, from: Data(#"{"id": 1, "a": 2}"#.utf8)))
    }
}
