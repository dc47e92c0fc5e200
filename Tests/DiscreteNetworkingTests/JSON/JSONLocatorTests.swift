import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingJSON

final class JSONLocatorTests: XCTestCase {
    private func slice(_ text: String, _ path: JSONPath) throws -> String? {
        let bytes = [UInt8](text.utf8)
        return try JSONLocator(bytes: bytes).locate(path).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    func testFindsValuesOfEveryKind() throws {
        let text =
            #" { "n" : null , "t":true,"f": false ,"i":-1.5e3 ,"s":"a\"}", "a":[ 1 , [2] ] , "o":{ "x" : {} } } "#
        let cases: [(JSONPath, String?)] = [
            ("n", "null"), ("t", "true"), ("f", "false"), ("i", "-1.5e3"), ("s", #""a\"}""#),
            ("a", "[ 1 , [2] ]"),
            ("a.0", "1"), ("a.1", "[2]"), ("a.1.0", "2"), ("o", #"{ "x" : {} }"#), ("o.x", "{}"),
            ("", text.trimmingCharacters(in: .whitespaces)), ("z", nil), ("a.2", nil), ("a.x", nil),
            ("n.x", nil), ("s.0", nil),
            ("o.x.y", nil), ("a.00", "1"), ("a.+0", nil), ("t.0", nil),
        ]
        for (path, expected) in cases { XCTAssertEqual(try slice(text, path), expected, path.description) }
        let data = Data(text.utf8)
        let ranges = try JSONLocator(data).locate(all: cases.map(\.0))
        XCTAssertEqual(ranges.map { $0.map { String(decoding: data[$0], as: UTF8.self) } }, cases.map(\.1))
        XCTAssertEqual(try JSONLocator(data).locate(all: []), [])
        XCTAssertEqual(try slice("\u{FEFF} 7 ", ""), "7")
    }

    func testTheLastDuplicateWins() throws {
        XCTAssertEqual(try slice(#"{"a":1,"a":2}"#, "a"), "2")
        XCTAssertEqual(try slice(#"{"a":{"b":1},"a":{"c":2}}"#, "a.c"), "2")
        XCTAssertNil(try slice(#"{"a":{"b":1},"a":{"c":2}}"#, "a.b"))
        XCTAssertNil(try slice(#"{"a":{"b":1},"a":2}"#, "a.b"))
        XCTAssertNil(try slice(#"{"a":[1],"a":[]}"#, "a.0"))
        XCTAssertEqual(try slice(#"{"a":{"b":1},"a":2,"a":{"b":3}}"#, "a.b"), "3")
    }

    func testKeysAreComparedAsText() throws {
        XCTAssertEqual(try slice(#"{"\u0061\n":1}"#, ["a\n"]), "1")
        XCTAssertEqual(try slice(#"{"\ud83d\ude00":1}"#, ["😀"]), "1")
        XCTAssertEqual(try slice(#"{"a.b":{"":1}}"#, ["a.b", ""]), "1")
        XCTAssertEqual(try slice("{\"e\u{301}\":1}", ["\u{E9}"]), "1")
        XCTAssertEqual(try slice("{\"K\":1}", ["\u{212A}"]), "1")
        XCTAssertNil(try slice(#"{"ab":1}"#, "a"))
        XCTAssertNil(try slice(#"{"a":1}"#, "ab"))
        XCTAssertEqual(try slice(#"{"0":{"1":2}}"#, "0.1"), "2")
    }

    func testTheWholeTextIsChecked() {
        for text in [
            #"{"a":1"#, #"{"a":1}}"#, #"{"a":1,"b":[}"#, #"{"a":1,"b":[{]}}"#, #"{"a":1,"b":"\x"}"#,
            #"{"a":1} x"#,
            #"{"b":01,"a":1}"#, #"{"b":{"c":nul},"a":1}"#, #"{"b":[1,],"a":1}"#,
        ] {
            XCTAssertThrowsError(try slice(text, "a"), text) { XCTAssertTrue($0 is JSONError) }
        }
    }

    func testRangesAreThoseOfTheDataGiven() throws {
        struct Content: Decodable, Equatable { let id: Int }
        let all = Data(#"xxxx{"code":0,"content":{"id":7}}yyyy"#.utf8)
        let data = all.dropFirst(4).dropLast(4)
        XCTAssertEqual(data.startIndex, 4)
        let range = try XCTUnwrap(JSONLocator(data).locate("content"))
        XCTAssertEqual(try JSONDecoder().decode(Content.self, from: data[range]), Content(id: 7))
    }

    func testAgreesWithTheParserOnRandomDocuments() throws {
        var random = JSONRandom(seed: 3)
        let rounds = FullLength.rounds(400, of: 1500)
        var present = 0
        for _ in 0..<rounds {
            let value = random.container()
            let bytes = [UInt8](random.text(of: value).utf8)
            let parsed = try JSONParser.parse(bytes)
            XCTAssertEqual(parsed, value)
            let paths = (0..<8).map { _ in path(in: value, &random) }
            let ranges = try JSONLocator(bytes: bytes).locate(all: paths)
            for (path, range) in zip(paths, ranges) {
                let found = try range.map { try JSONParser.parse(Array(bytes[$0])) }
                XCTAssertEqual(found, parsed[path: path], "\(path) in \(value)")
                XCTAssertEqual(try JSONLocator(bytes: bytes).locate(path), range)
                if range != nil && !path.components.isEmpty { present += 1 }
            }
        }
        XCTAssertGreaterThan(present, rounds)
    }

    /// A path that mostly exists.
    private func path(in value: JSONValue, _ random: inout JSONRandom) -> JSONPath {
        var components: [String] = []
        var value = value
        while random.chance(85) {
            let next =
                switch value {
                case .object(let members) where !members.isEmpty: random.pick(JSONWriter.sorted(members.keys))
                case .array(let elements): "\(random.below(elements.count + 1))"
                default: random.key()
                }
            components.append(random.chance(95) ? next : random.key())
            guard let inner = value[path: [components[components.count - 1]]] else { break }
            value = inner
        }
        return JSONPath(components)
    }
}
