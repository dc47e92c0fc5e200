import DiscreteNetworking
import Foundation
import XCTest

final class JSONWriterTests: XCTestCase {
    func testKeysAreSortedByTheirBytes() {
        // Swift's own order compares normalized forms, and UTF-16 order puts 😀 before U+FFFD.
        let value: JSONValue = [
            "b": 1, "a": 2, "B": 3, "aa": 4, "": 5, "é": 6, "z": 7, "e\u{301}x": 8, "\u{FFFD}": 9, "😀": 10,
            "10": 11, "9": 12,
        ]
        XCTAssertEqual(
            value.canonicalText,
            "{\"\":5,\"10\":11,\"9\":12,\"B\":3,\"a\":2,\"aa\":4,\"b\":1,\"e\u{301}x\":8,\"z\":7,\"é\":6,\"\u{FFFD}\":9,\"😀\":10}"
        )
    }

    func testOnlyWhatMustBeIsEscaped() {
        let value: JSONValue = "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/\u{7F}é\u{2028}😀</script>"
        XCTAssertEqual(
            value.canonicalText,
            "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u{7F}é\u{2028}😀</script>\"")
        XCTAssertEqual((["a\"b": nil] as JSONValue).canonicalText, #"{"a\"b":null}"#)
    }

    func testTextDataAndDescriptionAreOne() {
        let value: JSONValue = ["b": [true, false, nil, 1, 2.5, "x", [:], []], "a": "é"]
        XCTAssertEqual(value.canonicalText, #"{"a":"é","b":[true,false,null,1,2.5,"x",{},[]]}"#)
        XCTAssertEqual(value.canonicalData, Data(value.canonicalText.utf8))
        XCTAssertEqual("\(value)", value.canonicalText)
    }

    func testTheOrderOfBuildingDoesNotShow() {
        var random = JSONRandom(seed: 2)
        let names = (0..<200).map { "key\($0)" }
        let texts = (0..<5).map { _ in
            var members: [String: JSONValue] = [:]
            for name in names.shuffled(using: &random) { members[name] = .string(name) }
            return JSONValue.object(members).canonicalText
        }
        XCTAssertEqual(Set(texts).count, 1)
    }
}
