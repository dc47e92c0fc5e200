import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// A few lines that would take a computer hours, or fill its memory.
final class AmplificationTests: XCTestCase {
    private func run(_ schemas: [String: JSONValue], paths: JSONValue = [:]) throws -> CommandRun {
        let folder = try TemporaryFolder()
        let document: JSONValue = [
            "openapi": "3.1.0", "paths": paths, "components": ["schemas": .object(schemas)],
        ]
        let path = try folder.write(document.canonicalText, to: "openapi.json")
        return CommandRun([path, "--module", "A", "--output", folder.url.path + "/out"])
    }

    private func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// Each schema has the one before twice: 2^30 ways lead to the first, and all are the first.
    func testAllOfThatDoubles() throws {
        var schemas: [String: JSONValue] = [
            "S0": ["type": "object", "properties": ["id": ["type": "integer"]]]
        ]
        for index in 1...30 {
            schemas["S\(index)"] = ["allOf": [reference("S\(index - 1)"), reference("S\(index - 1)")]]
        }
        let run = try run(schemas)
        XCTAssertEqual(run.status, 0, run.errors.joined())
        XCTAssertTrue(run.out[0].contains("1 models"), run.out[0])
    }

    /// The same with alternatives among the parts.
    func testAlternativesInAllOfThatDouble() throws {
        var schemas: [String: JSONValue] = ["S0": ["oneOf": [["type": "string"], ["type": "integer"]]]]
        for index in 1...30 {
            schemas["S\(index)"] = [
                "allOf": [reference("S\(index - 1)"), reference("S\(index - 1)")],
                "properties": [String("p\(index)"): ["type": "string"]],
            ]
        }
        XCTAssertEqual(try run(schemas).status, 0)
    }

    /// Every schema has every other as an alternative: null may be behind any of them.
    func testAlternativesThatMultiply() throws {
        var schemas: [String: JSONValue] = [:]
        let count = FullLength.rounds(20, of: 40)
        for index in 0..<count {
            schemas["S\(index)"] = [
                "oneOf": .array((0..<count).map { reference("S\($0)") } + [["type": "string"]])
            ]
        }
        schemas["P"] = [
            "type": "object",
            "properties": .object(
                Dictionary(uniqueKeysWithValues: (0..<count).map { ("p\($0)", reference("S\($0)")) })),
        ]
        XCTAssertEqual(try run(schemas).status, 0)
    }

    /// As many symbols as a name may have, and more.
    func testALongNameOfSymbols() throws {
        let name = String(repeating: "/-", count: FullLength.rounds(30_000, of: 100_000))
        XCTAssertEqual(
            try run([name: ["type": "object", "properties": [name: ["type": "string"]]]]).status, 0)
    }

    func testManyNamesThatAreTheSame() throws {
        var schemas: [String: JSONValue] = [:]
        for index in 0..<300 {
            schemas["a" + String(repeating: "_", count: index)] = ["type": "string", "enum": ["x"]]
        }
        let run = try run(schemas)
        XCTAssertEqual(run.status, 0, run.errors.joined())
        XCTAssertTrue(run.out[0].contains("300 models"), run.out[0])
    }

    /// Parts that are used many times make more properties than the description has.
    func testPropertiesThatMultiplyAreAnError() throws {
        var schemas: [String: JSONValue] = [:]
        for part in 0..<10 {
            let properties = (0..<20).map { ("p\(part)x\($0)", JSONValue.object(["type": "string"])) }
            schemas["Part\(part)"] = [
                "type": "object", "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            ]
        }
        for index in 0..<20 {
            schemas["S\(index)"] = ["allOf": .array((0..<10).map { reference("Part\($0)") })]
        }
        var loader = DocumentLoader()
        loader.limits.properties = 4_199
        func generate() throws {
            let document: JSONValue = [
                "openapi": "3.1.0", "paths": [:], "components": ["schemas": .object(schemas)],
            ]
            _ = try Generation(
                Description(document, at: URL(fileURLWithPath: "/openapi.json"), loader: loader),
                options: GeneratorOptions(module: "A"))
        }
        XCTAssertThrowsError(try generate()) {
            XCTAssertTrue("\($0)".contains("more than 4199 properties"), "\($0)")
        }
        loader.limits.properties = 4_200
        try generate()
    }

    /// Values of variables that name other variables: 2^40 characters.
    func testServerVariablesThatDouble() throws {
        var variables: [String: JSONValue] = ["v40": ["default": "x"]]
        for index in 0..<40 {
            variables["v\(index)"] = ["default": .string("{v\(index + 1)}{v\(index + 1)}")]
        }
        let server: JSONValue = [
            "url": "https://{v0}.example.com/{v40}/{none}", "variables": .object(variables),
        ]
        let generation = try generate(
            paths: #"{"/a": {"get": {"servers": [\#(server.canonicalText)], "responses": {}}}}"#)
        XCTAssertTrue(
            generation.notes.contains { $0.text.contains("is no URL that a request could go to") },
            "\(generation.notes)")
        let plain = try generate(
            paths: #"""
                {"/a": {"get": {"servers": [{"url": "https://{host}.example.com/{v}",
                "variables": {"host": {"default": "eu"}, "v": {"default": "v2"}}}], "responses": {}}}}
                """#)
        XCTAssertTrue(plain.files.contains { $0.text.contains("https://eu.example.com/v2") })
    }

    // MARK: Work

    private func steps(_ schemas: [String: JSONValue]) throws -> Int {
        let document: JSONValue = [
            "openapi": "3.1.0", "paths": [:], "components": ["schemas": .object(schemas)],
        ]
        let description = try Description(document, at: URL(fileURLWithPath: "/openapi.json"))
        _ = try Generation(description, options: GeneratorOptions(module: "A"))
        return description.work.steps
    }

    /// Twice as many schemas take twice as many steps.
    func testWorkGrowsWithTheDescription() throws {
        func wide(_ count: Int) -> [String: JSONValue] {
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { index in
                    (
                        "S\(index)",
                        [
                            "type": "object", "$anchor": .string("a\(index)"),
                            "properties": [
                                "id": ["type": "integer"], "next": reference("S\((index * 7 + 1) % count)"),
                                "kind": ["type": "string", "enum": ["a", "b"]],
                                "other": ["$ref": .string("#a\((index * 5 + 1) % count)")],
                                "one": ["oneOf": [reference("S0"), ["type": "null"]]],
                            ],
                        ]
                    )
                })
        }
        func deep(_ count: Int) -> [String: JSONValue] {
            var schemas: [String: JSONValue] = ["S0": ["properties": ["id": ["type": "integer"]]]]
            for index in 1..<count {
                schemas["S\(index)"] = ["allOf": [reference("S\(index - 1)"), reference("S\(index - 1)")]]
            }
            return schemas
        }
        for make in [wide, deep] {
            let (small, large) = (try steps(make(50)), try steps(make(100)))
            XCTAssertGreaterThan(small, 50)
            XCTAssertLessThanOrEqual(Double(large), Double(small) * 2.1, "\(small), \(large)")
        }
    }

    /// Each alternative has all others: there are as many ways as pairs, and not more.
    func testWorkOnAlternativesGrowsWithTheirPairs() throws {
        func schemas(_ count: Int) -> [String: JSONValue] {
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { index in
                    (
                        "S\(index)",
                        ["oneOf": .array((0..<count).map { reference("S\($0)") } + [["type": "string"]])]
                    )
                })
        }
        let count = FullLength.rounds(7, of: 10)
        let (small, large) = (try steps(schemas(count)), try steps(schemas(2 * count)))
        XCTAssertLessThanOrEqual(Double(large), Double(small) * 8.4, "\(small), \(large)")
    }

    func testWorkIsLimited() throws {
        let work = Work()
        let place = Place(document: "openapi.json", pointer: ["a"])
        try work.add(Work.limit, at: place)
        XCTAssertThrowsError(try work.add(at: place)) {
            XCTAssertTrue("\($0)".contains("more than 50000000 steps to read"), "\($0)")
        }
    }

    func testTimeIsLimited() throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let loader = DocumentLoader { _ in
            gate.wait()
            return Data("{}".utf8)
        }
        let options = GeneratorOptions(input: "/openapi.json", module: "A")
        XCTAssertThrowsError(try Generation.make(options, loader: loader, timeLimit: 0.01)) {
            XCTAssertTrue("\($0)".contains("Nothing was generated within 1 seconds"), "\($0)")
        }
    }

    func testTheNumberOfValuesIsLimited() throws {
        var loader = DocumentLoader { _ in Data(("[" + String(repeating: "0,", count: 200) + "0]").utf8) }
        loader.limits.values = 100
        XCTAssertThrowsError(try Description(at: "/openapi.json", loader: loader)) {
            XCTAssertTrue("\($0)".contains("has more than 100 values"), "\($0)")
        }
    }

    func testAFileIsReadToItsLimitOnly() throws {
        var loader = DocumentLoader()
        loader.limits.bytes = 1 << 20
        XCTAssertThrowsError(try Description(at: "/dev/zero", loader: loader)) {
            XCTAssertTrue("\($0)".contains("is larger than 1 MiB"), "\($0)")
        }
    }
}
