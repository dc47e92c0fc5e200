import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

final class ContractTests: XCTestCase {
    private func drifts(_ old: String, _ new: String, rules: ContractRules = .standard) throws -> [String] {
        Contract(recording: [try json(old)], rules: rules).compare(try json(new)).map(\.description)
    }

    func testTheSameShapeHasNoDrift() throws {
        XCTAssertEqual(try drifts(#"{"a":[{"b":1},{"b":2}]}"#, #"{"a":[{"b":7}]}"#), [])
        XCTAssertEqual(try drifts(#"{"a":[{"b":1}]}"#, #"{"a":[]}"#), [])
    }

    func testEachKindOfDrift() throws {
        XCTAssertEqual(try drifts(#"{"a":1}"#, #"{"a":1,"b":"x"}"#), ["news b: added (string)"])
        XCTAssertEqual(try drifts(#"{"a":1,"b":2}"#, #"{"a":1}"#), ["warning b: removed (was integer)"])
        XCTAssertEqual(
            try drifts(#"{"l":[{"a":1},{"a":2}]}"#, #"{"l":[{"a":1},{}]}"#),
            ["warning l[].a: missing in some objects, was in all"])
        XCTAssertEqual(try drifts(#"{"a":1}"#, #"{"a":null}"#), ["warning a: became null"])
        XCTAssertEqual(
            try drifts(#"{"a":1}"#, #"{"a":"1"}"#), ["warning a: type changed from integer to string"])
        XCTAssertEqual(
            try drifts(#"{"a":1}"#, #"{"a":1.0}"#), ["warning a: type changed from integer to number"])
        XCTAssertEqual(
            try drifts(#"["x","x","x"]"#, #"["y"]"#), [#"warning []: new enum value "y""#])
        XCTAssertEqual(
            try drifts(#"{"a":"2026-11-21"}"#, #"{"a":"21.11.2026"}"#), ["warning a: no longer a date"])
    }

    func testNumbersTakeIntegersIn() throws {
        XCTAssertEqual(try drifts(#"{"a":1.5}"#, #"{"a":1}"#), [])
        XCTAssertEqual(try drifts(#"{"a":[1,1.5]}"#, #"{"a":[1]}"#), [])
    }

    func testOnlyTheTopOfWhatIsNewOrGoneIsNamed() throws {
        XCTAssertEqual(try drifts(#"{"a":1}"#, #"{"a":1,"b":{"c":[1]}}"#), ["news b: added (object)"])
        XCTAssertEqual(
            try drifts(#"{"a":1,"b":{"c":[1]}}"#, #"{"a":1}"#), ["warning b: removed (was object)"])
        XCTAssertEqual(
            try drifts(#"{"b":{"c":1}}"#, #"{"b":[{"c":1}]}"#),
            ["warning b: type changed from object to array"])
    }

    func testARenamedFieldIsGoneAndNew() throws {
        XCTAssertEqual(
            try drifts(#"{"fee":1}"#, #"{"price":1}"#),
            ["warning fee: removed (was integer)", "news price: added (integer)"])
    }

    func testFieldMissingInOneRecordedResponseIsOptional() throws {
        let contract = Contract(recording: [try json(#"{"a":1,"b":1}"#), try json(#"{"a":1}"#)])

        XCTAssertEqual(contract.fields["b"], .init([.integer], isOptional: true))
        XCTAssertEqual(contract.compare(try json(#"{"a":1}"#)), [])
        XCTAssertEqual(contract.compare(try json(#"{"b":1}"#)).map(\.path), ["a"])
    }

    func testSeveralResponsesHaveEachDriftOnce() throws {
        let contract = Contract(recording: [try json(#"{"a":1}"#)])

        let drifts = contract.compare([try json(#"{"a":"x"}"#), try json(#"{"a":"y"}"#)])

        XCTAssertEqual(drifts.map(\.description), ["warning a: type changed from integer to string"])
    }

    // MARK: Enumerations

    func testTheRuleForEnumerations() throws {
        func values(_ text: String, rules: ContractRules = .standard) throws -> Contract.Values? {
            Contract(recording: [try json(text)], rules: rules).fields["[]"]?.values
        }
        XCTAssertEqual(try values(#"["a","b","a","b"]"#), .listed(["a", "b"]))
        XCTAssertEqual(try values(#"["a","a","a"]"#), .listed(["a"]))
        XCTAssertNil(try values(#"["a","a"]"#), "too few")
        XCTAssertNil(try values(#"["a","b","c","a"]"#), "too many for so few")
        XCTAssertNil(try values(#"["two words","two words","two words"]"#))
        XCTAssertNil(try values(#"["7","7","7"]"#))
        XCTAssertEqual(try values(#"["已发货"]"#, rules: ContractRules(enums: ["[]"])), .listed(["已发货"]))
        XCTAssertEqual(try values(#"["a","a","a"]"#, rules: ContractRules(texts: ["[]"])), .any)
        let many = (0..<13).flatMap { ["v\($0)", "v\($0)"] }.map(JSONValue.string)
        XCTAssertNil(try values(JSONValue.array(many).canonicalText))
    }

    func testSecretsAreNeverListed() throws {
        let body = try json(#"[{"token":"abc"},{"token":"abc"},{"token":"abc"}]"#)

        XCTAssertNil(Contract(recording: [body]).fields["[].token"]?.values)
        XCTAssertNil(
            Contract(recording: [body], rules: ContractRules(enums: ["[].token"])).fields["[].token"]?.values)
    }

    // MARK: Merging

    func testMergingAdmitsBoth() throws {
        let bodies = try [#"{"a":1,"l":[{"x":1}]}"#, #"{"a":null,"l":[{"y":"t"}]}"#, #"{"b":1.5,"l":[]}"#]
            .map(json)
        let merged = bodies.dropFirst().reduce(Contract(recording: [bodies[0]])) {
            $0.merging(recording: [$1])
        }

        for body in bodies { XCTAssertEqual(merged.compare(body), [], "\(body)") }
        XCTAssertEqual(merged, Contract(recording: bodies))
    }

    func testMergingWidensAnEnumerationAndKeepsAnOpenedOne() throws {
        var contract = Contract(recording: [try json(#"{"a":["x","x","x"],"b":["y","y","y"]}"#)])
        contract.fields["b[]"]?.values = .any

        let merged = contract.merging(recording: [try json(#"{"a":["z"],"b":["z"]}"#)])

        XCTAssertEqual(merged.fields["a[]"]?.values, .listed(["x", "z"]))
        XCTAssertEqual(merged.fields["b[]"]?.values, .any)
    }

    // MARK: Paths

    func testPathsReadBack() {
        for (path, text) in [
            ([.key("content"), .key("products"), .element, .key("id")], "content.products[].id"),
            ([], "$"), ([.key("$")], #""$""#), ([.element], "[]"), ([.element, .element], "[][]"),
            ([.key("file.name"), .key("")], #""file.name"."""#), ([.key("x[]\"")], #""x[]\"""#),
            ([.key("a\nb")], #""a\nb""#),
        ] as [([FieldPath.Component], String)] {
            XCTAssertEqual(FieldPath(path).description, text)
            XCTAssertEqual(FieldPath(text), FieldPath(path))
        }
        for text in ["", ".", "a.", ".a", "a..b", "a[", "a[0]", "a]", #""a"#, #""a"b"#, "a[]b", #""a\"#] {
            XCTAssertNil(FieldPath(text) as FieldPath?, text)
        }
    }
}
