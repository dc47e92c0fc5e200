import DiscreteNetworking
import DiscreteNetworkingContracts
import EverythingAPI
import Foundation
import XCTest

/// What the generated contract of a list of shapes says of a server that changes them, by the models of the app.
@MainActor
final class UnionContractTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    override func setUp() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() async throws { try FileManager.default.removeItem(at: folder) }

    /// The verdict on a response, after one that the contract was completed by, and the lines of the report.
    private func verdict(_ main: String, _ more: String = "[]") throws -> (ContractReport.Verdict, [String]) {
        let contracts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../EverythingAPIContracts/Contracts/ListShapesManager.json")
        let file = folder.appendingPathComponent("ListShapesManager.json")
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: contracts, to: file)
        let manager = ListShapesManager()
        manager.proxy = ApiProxy(services: factory)
        let subject = ContractSubject(manager)
        func check(_ text: String) -> ContractReport {
            subject.check(response: Data(text.utf8), against: ContractFolder(folder), mode: .compare)
        }
        let first = check(
            #"{"main": {"type": "circle", "radius": 1.5}, "more": [{"type": "quad", "side": 2}, {"type": "circle", "radius": 1}]}"#
        )
        XCTAssertEqual(first.verdict, .recorded, first.text)
        let report = check(#"{"main": \#(main), "more": \#(more)}"#)
        return (report.verdict, report.lines)
    }

    private let factory: ServiceFactory = {
        let factory = ServiceFactory()
        factory.register([.everything: EverythingService.self])
        factory.keepInMemory()
        return factory
    }()

    private static let circle = #"{"type": "circle", "radius": 1.5}"#

    func testWhatAnAppReadsIsNoChange() async throws {
        let same = try verdict(Self.circle, #"[{"type": "square", "side": 3}, \#(Self.circle)]"#)
        XCTAssertEqual(same.0, .unchanged, same.1.joined())
    }

    func testAnUnknownOrMissingDiscriminatorIsAWarning() async throws {
        let unknown = try verdict(#"{"type": "hexagon", "side": 3}"#)
        XCTAssertEqual(unknown.0, .warning)
        XCTAssertTrue(unknown.1.contains(#"warning main.type: new enum value "hexagon""#), unknown.1.joined())
        let missing = try verdict(#"{"side": 3}"#)
        XCTAssertEqual(missing.0, .warning)
        XCTAssertTrue(missing.1.contains("warning main.type: removed (was string)"), missing.1.joined())
    }

    func testAnAlternativeThatIsNotDecodedBreaksTheApp() async throws {
        for main in [#"{"type": "circle"}"#, #"{"type": "circle", "radius": "1.5"}"#] {
            let broken = try verdict(main)
            XCTAssertEqual(broken.0, .breaking, main)
            XCTAssertTrue(broken.1.joined().contains("main.radius"), broken.1.joined(separator: "\n"))
        }
    }

    #if os(macOS) || os(Linux)
        /// Prints whether each value is of the union, by the jsonschema of PyPI. The discriminator's values are added to the
        /// alternatives: JSON Schema does not know it.
        private static let script = """
            import json, sys
            from jsonschema import Draft202012Validator
            description = json.load(open(sys.argv[1]))
            shape = description["components"]["schemas"]["Shape"]
            mapping = shape["discriminator"]["mapping"]
            tags = {ref: [tag for tag in mapping if mapping[tag] == ref] for ref in mapping.values()}
            schema = {"components": description["components"], "oneOf": [
                {"allOf": [one, {"properties": {"type": {"enum": tags[one["$ref"]]}}}]} for one in shape["oneOf"]]}
            print(json.dumps([Draft202012Validator(schema).is_valid(value) for value in json.loads(sys.argv[2])]))
            """

        private static func validity(of values: [String]) throws -> [Bool] {
            let description = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Fixtures/constructs.json").standardizedFileURL
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "python3", "-c", script, description.path, "[\(values.joined(separator: ","))]",
            ]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            if process.terminationStatus == 0 { return try JSONDecoder().decode([Bool].self, from: data) }
            if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil { XCTFail("no jsonschema") }
            throw XCTSkip("jsonschema of PyPI is not installed.")
        }

        /// The contract, jsonschema and the models of the app judge the same shapes.
        func testABreakingChangeIsInvalidAndNotDecoded() async throws {
            let values = [
                Self.circle, #"{"type": "circle", "radius": 2, "new": true}"#,
                #"{"type": "square", "side": 3}"#,
                #"{"type": "quad", "side": 0.5}"#, #"{"type": "quad", "side": 1, "radius": 1}"#,
                #"{"type": "circle"}"#, #"{"type": "circle", "radius": "1.5"}"#,
                #"{"type": "circle", "radius": null}"#, #"{"type": "circle", "side": 1}"#,
                #"{"type": "quad", "radius": 1}"#, #"{"type": "square", "side": []}"#,
                #"{"type": "hexagon", "side": 3}"#, #"{"type": "Circle", "radius": 1}"#, #"{"side": 3}"#,
                #"{"type": null, "radius": 1}"#, #"{"type": 5, "side": 1}"#, "{}", "[]", "null", "5",
                #""circle""#,
            ]
            let valid = try Self.validity(of: values)
            XCTAssertEqual(valid.count, values.count)
            XCTAssertEqual(valid.filter(\.self).count, 5)
            for (value, isValid) in zip(values, valid) {
                for (main, more) in [(value, "[]"), (Self.circle, "[\(Self.circle), \(value)]")] {
                    let text = #"{"main": \#(main), "more": \#(more)}"#
                    let isDecoded =
                        (try? JSONDecoder().decode(ListShapesResponse.self, from: Data(text.utf8))) != nil
                    let (verdict, lines) = try verdict(main, more)
                    XCTAssertEqual(verdict == .breaking, !isDecoded, "\(text): \(verdict) \(lines)")
                    // A valid shape of another kind than before is a warning, too.
                    let fitting: Set<ContractReport.Verdict> =
                        isValid ? [.unchanged, .news, .warning] : [.breaking, .warning]
                    XCTAssertTrue(fitting.contains(verdict), "\(text): \(verdict) \(lines)")
                }
            }
        }
    #endif
}
