import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Corrections of a description (OpenAPI Overlay 1.0), at the places of JSONPaths (RFC 9535).
final class OverlayTests: XCTestCase {
    private let store: JSONValue = [
        "store": [
            "book": [
                ["category": "reference", "title": "Sayings", "price": 8.95],
                ["category": "fiction", "title": "Sword", "price": 12.99],
                ["category": "fiction", "title": "Moby Dick", "isbn": "0-553", "price": 8.99],
            ],
            "bicycle": ["color": "red", "price": 399],
        ], "limit": 10, "odd 'name": ["a.b": 1, "é": 2],
    ]

    /// Normalized paths, as RFC 9535 section 2.7 writes them.
    private func select(_ query: String, in value: JSONValue? = nil) throws -> [String] {
        try JSONQueryParser.parse(query).places(in: value ?? store).map { steps in
            steps.reduce("$") { path, step in
                switch step {
                case .key(let key): path + "['\(key.replacingOccurrences(of: "'", with: "\\'"))']"
                case .index(let index): path + "[\(index)]"
                }
            }
        }
    }

    // MARK: JSONPath

    func testAPathSelectsWhatTheRFCSays() throws {
        for (query, places) in [
            ("$", ["$"]), ("$.limit", ["$['limit']"]), ("$.nothing.at.all", []),
            ("$.store.book[0].title", ["$['store']['book'][0]['title']"]),
            ("$['store']['book'][-1]['isbn']", ["$['store']['book'][2]['isbn']"]),
            ("$..isbn", ["$['store']['book'][2]['isbn']"]),
            ("$.store.*", ["$['store']['bicycle']", "$['store']['book']"]),
            ("$.store.book[0,2]", ["$['store']['book'][0]", "$['store']['book'][2]"]),
            ("$.store.book[1:]", ["$['store']['book'][1]", "$['store']['book'][2]"]),
            ("$.store.book[::-2]", ["$['store']['book'][2]", "$['store']['book'][0]"]),
            ("$.store.book[?@.isbn]", ["$['store']['book'][2]"]),
            ("$.store.book[?!@.isbn && @.price < $.limit]", ["$['store']['book'][0]"]),
            ("$..[?@.price>=12.99]", ["$['store']['bicycle']", "$['store']['book'][1]"]),
            (
                #"$.store.book[?(@.category == "fiction") && @.title != 'Sword'].price"#,
                ["$['store']['book'][2]['price']"]
            ),
            (#"$['odd \'name']["a.b", 'é']"#, [#"$['odd \'name']['a.b']"#, #"$['odd \'name']['é']"#]),
            ("$ .store [ 'bicycle' ] .color", ["$['store']['bicycle']['color']"]),
        ] {
            XCTAssertEqual(Set(try select(query)), Set(places), query)
            XCTAssertEqual(try select(query).count, places.count, query)
        }
    }

    func testAWrongPathIsAnErrorWithItsPlace() {
        for query in [
            "", "store", "$.", "$[", "$['a", "$[01]", "$[?@.a", "$[?@.*==1]", "$[?1]", "$[?length(@)>1]",
            "$ x", "$..",
            #"$['\q']"#, "$" + String(repeating: "[?(", count: 100),
            "$[?" + String(repeating: "!", count: 100) + "@]",
        ] {
            XCTAssertThrowsError(try JSONQueryParser.parse(query), query) {
                XCTAssertTrue("\($0)".contains("at character"), "\($0)")
            }
        }
    }

    #if os(macOS) || os(Linux)
        /// Against an implementation that we did not write: jsonpath-rfc9535 of PyPI.
        func testRandomPathsSelectWhatAnotherImplementationSelects() throws {
            var random = Numbers(state: 30)
            var cases: [JSONValue] = []
            for _ in 0..<2000 {
                cases.append(["query": .string(random.query()), "value": random.container(4)])
            }
            let script = """
                import json, sys
                from jsonpath_rfc9535 import find
                cases = json.load(open(sys.argv[1]))
                print(json.dumps([sorted(n.path() for n in find(c["query"], c["value"])) for c in cases]))
                """
            let output = try PythonScript.output(
                of: script, needing: "jsonpath-rfc9535", on: .array(cases))
            let theirs = try XCTUnwrap(JSONValue(parsing: output).array)
            XCTAssertEqual(theirs.count, cases.count)
            var selected = 0
            for (one, places) in zip(cases, theirs) {
                let query = one["query"].string ?? ""
                let value = try XCTUnwrap(one["value"])
                let own = try select(query, in: value)
                selected += own.count
                XCTAssertEqual(
                    own.sorted(), places.array?.compactMap(\.string).sorted(),
                    "\(query) of \(value.canonicalText)")
            }
            XCTAssertGreaterThan(selected, 500, "most paths select nothing, and so show nothing")
        }
    #endif

    private struct Numbers {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }

        mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

        mutating func value(_ depth: Int) -> JSONValue {
            switch below(depth > 0 ? 8 : 5) {
            case 0: return .null
            case 1: return .bool(below(2) == 0)
            case 2: return .number(JSONNumber(below(4)))
            case 3, 4: return .string(pick(["a", "b", ""]))
            default: return container(depth)
            }
        }

        mutating func container(_ depth: Int) -> JSONValue {
            guard below(3) > 0 else { return .array((0..<below(5)).map { _ in value(depth - 1) }) }
            var members: [String: JSONValue] = [:]
            for _ in 0..<(1 + below(4)) { members[pick(["a", "b", "c d"])] = value(depth - 1) }
            return .object(members)
        }

        mutating func query() -> String { "$" + (0..<below(4)).map { _ in segment(2) }.joined() }

        private mutating func segment(_ depth: Int) -> String {
            pick(["", "", ".."]) == ".."
                ? ".." + pick(["*", "a", "[\(selector(depth))]"])
                : pick([".a", ".*", "[\(selector(depth))]", "[\(selector(depth)), \(selector(depth))]"])
        }

        private mutating func selector(_ depth: Int) -> String {
            switch below(depth > 0 ? 7 : 5) {
            case 0: return "'c d'"
            case 1: return "\"a\""
            case 2: return String(below(5) - 2)
            case 3: return "*"
            case 4: return pick(["1:", ":2", "::-1", "-2:", "2:0:-1", "::2", "::0"])
            default: return "?" + condition(depth)
            }
        }

        private mutating func condition(_ depth: Int) -> String {
            let place = pick(["@", "@.a", "@['b']", "@[0]", "$.a"])
            let value = pick(["1", "'a'", "null", "true", "@.b", "2.0"])
            let simple = pick([
                "@.a", "\(place) \(pick(["==", "!=", "<", "<=", ">", ">="])) \(value)", "!@.b", "@.*", "@..a",
            ])
            return depth > 1 && below(2) == 0
                ? "(\(simple) \(pick(["&&", "||"])) \(condition(depth - 1)))" : simple
        }
    }

    // MARK: Actions

    func testActionsMergeAppendAndRemove() throws {
        let document = try JSONValue(
            parsing:
                #"{"overlay": "1.0.0", "actions": [{"target": "$.a", "update": {"x": {"z": 2}, "list": [3], "new": 1}}, {"target": "$.list", "update": 9}, {"target": "$.list[?@ == 1]", "remove": true}, {"target": "$.gone", "remove": true}, {"target": "$..secret", "remove": true}, {"target": "$.c[2, 0, 0, -1]", "remove": true}]}"#
        )
        var value: JSONValue = [
            "a": ["x": ["y": 1], "list": [1], "secret": 1], "list": [1, 2, 1], "b": [["secret": 2], 7],
            "c": [1, 2, 3],
        ]
        let overlay = try Overlay(Node(value: document, place: Place(document: "o.json", pointer: [])))
        let notes = try overlay.apply(to: &value)
        XCTAssertEqual(
            value,
            [
                "a": ["x": ["y": 1, "z": 2], "list": [1, 3], "new": 1], "list": [2, 9], "b": [[:], 7],
                "c": [2],
            ])
        XCTAssertEqual(notes.map(\.text), ["selects nothing: $.gone"])
    }

    func testAWrongOverlayIsAnError() throws {
        for (text, message) in [
            ("{}", "member overlay"), (#"{"overlay": "1.0.0"}"#, "member actions"),
            (#"{"overlay": "1.0.0", "actions": [{}]}"#, "target"),
            (#"{"overlay": "1.0.0", "actions": [{"target": "$"}]}"#, "update"),
            (#"{"overlay": "1.0.0", "actions": [{"target": "x", "remove": true}]}"#, "begins with $"),
            (
                #"{"overlay": "1.0.0", "actions": [{"target": "$.limit", "update": {}}]}"#,
                "objects and arrays"
            ),
        ] {
            let node = Node(
                value: try JSONValue(parsing: text), place: Place(document: "o.json", pointer: []))
            var value = store
            XCTAssertThrowsError(try Overlay(node).apply(to: &value), text) {
                XCTAssertTrue("\($0)".contains(message), "\($0)")
            }
        }
    }

    func testTheCommandCorrectsItsDescription() throws {
        let folder = try TemporaryFolder()
        let description = try folder.write(
            #"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {}, "components": {"schemas": {"Pet": {"type": "object", "required": ["id", "tag"], "properties": {"id": {"type": "string"}, "tag": {"type": "string"}}}}}}"#,
            to: "api.json")
        let overlay = try folder.write(
            "overlay: 1.0.0\nactions:\n  - target: $.components.schemas.Pet.properties.id\n    update: { type: integer }\n  - target: $.components.schemas.Pet.required[?@ == 'tag']\n    remove: true\n  - target: $.nothing\n    remove: true\n",
            to: "fix.yaml")
        let run = CommandRun([
            description, "--module", "ShopAPI", "--output", folder.url.path, "--overlay", overlay,
        ])
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        let model = try folder.model("Pet")
        XCTAssertTrue(model.contains("id: Int\n"), model)
        XCTAssertTrue(model.contains("tag: String?"), model)
        XCTAssertTrue(
            run.out.contains { $0.contains("fix.yaml#/actions/2 selects nothing: $.nothing") }, "\(run.out)")
    }
}
