import DiscreteNetworking
import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// YAML by way of each of the tools that may be installed.
final class YAMLTests: XCTestCase {
    private static let tools = ["python3", "ruby"]

    /// What one tool makes of a text; the test is skipped where it is not installed.
    private static func json(_ yaml: String, by tool: String) throws -> JSONValue {
        let folder = try TemporaryFolder()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        let found = path.split(separator: ":").map { "\($0)/\(tool)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { return try missing("\(tool) is not installed.") }
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent(tool), withDestinationURL: URL(fileURLWithPath: found))
        do throws(GeneratorError) {
            return try YAMLConverter.json(Data(yaml.utf8), of: "openapi.yaml", path: folder.url.path)
        } catch {
            guard error.message.contains("neither a ruby nor a python3") else { throw error }
            return try missing("\(tool) has no module for YAML.")
        }
    }

    /// What each tool makes of each text. At once, because each of them is a process.
    private static func json(_ works: [(yaml: String, tool: String)]) -> [Result<JSONValue, any Error>] {
        let results = Locked<[Int: Result<JSONValue, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: works.count) { index in
            let result = Result { try json(works[index].yaml, by: works[index].tool) }
            results.withLock { $0[index] = result }
        }
        return works.indices.compactMap { results.current[$0] }
    }

    private static func missing(_ reason: String) throws -> JSONValue {
        if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil { XCTFail(reason) }
        throw XCTSkip(reason)
    }

    private func check(_ tool: String) throws {
        // The core schema of YAML 1.2: countries, times and dates are texts.
        let value = try Self.json(
            """
            base: &base {a: 1}
            merged: {<<: *base, b: 2}
            words: [no, yes, on, off, NO, y, "true", 'null']
            values: [true, False, null, ~, 12, -7, 0o17, 0x1F, 012, 1.5, 1e3, .5, 2.0]
            texts: [12:30:45, 2024-01-01, 2024-01-01T10:00:00Z, 1_000, 0b1, 1.2.3, =, .]
            long: |
              订单
              two
            200: {description: ok}
            """, by: tool)
        XCTAssertEqual(value["merged"], ["a": 1, "b": 2])
        XCTAssertEqual(value["words"], ["no", "yes", "on", "off", "NO", "y", "true", "null"])
        XCTAssertEqual(
            value["values"], [true, false, nil, nil, 12, -7, 15, 31, 12, 1.5, 1000.0, 0.5, 2.0])
        XCTAssertEqual(
            value["texts"],
            ["12:30:45", "2024-01-01", "2024-01-01T10:00:00Z", "1_000", "0b1", "1.2.3", "=", "."])
        XCTAssertEqual(value["200"], ["description": "ok"])
        XCTAssertEqual(value["long"], "订单\ntwo\n")
    }

    func testPythonConvertsYAML() throws { try check("python3") }

    func testRubyConvertsYAML() throws { try check("ruby") }

    /// Nine layers of nine: a few lines that would fill any memory.
    func testAliasesThatMultiply() throws {
        var lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
        for layer in 1..<9 {
            let inside = [String](repeating: "*a\(layer - 1)", count: 9).joined(separator: ", ")
            lines.append("a\(layer): &a\(layer) [\(inside)]")
        }
        let texts = [lines.joined(separator: "\n"), "a: &a [*a]"]
        let results = Self.json(texts.flatMap { text in Self.tools.map { (text, $0) } })
        XCTAssertEqual(results.count, texts.count * Self.tools.count)
        for result in results {
            XCTAssertThrowsError(try result.get()) { error in
                if error is XCTSkip { return }
                XCTAssertTrue("\(error)".contains("its aliases make more than"), "\(error)")
            }
        }
    }

    /// Each mapping merges the one before twice: without care, 2^40 pairs.
    func testMergeKeysThatMultiply() throws {
        var lines = ["a0: &a0 {x: 1}"]
        for layer in 1...40 { lines.append("a\(layer): &a\(layer) {<<: [*a\(layer - 1), *a\(layer - 1)]}") }
        let text = lines.joined(separator: "\n")
        let results = Self.json(Self.tools.map { (text, $0) })
        XCTAssertEqual(results.count, Self.tools.count)
        for (tool, result) in zip(Self.tools, results) {
            do {
                let value = try result.get()
                XCTAssertEqual(value["a40"], ["x": 1], tool)
            } catch is XCTSkip {}
        }
    }

    /// The first of several merged mappings wins, and the mapping's own members win over all (YAML's merge key).
    func testMergeKeysByPrecedence() throws {
        let text = "a: &a {x: 1, y: 1}\nb: &b {x: 2, z: 2}\nc: {y: 3, <<: [*a, *b]}\nd: {<<: *a, <<: *b}"
        let results = Self.json(Self.tools.map { (text, $0) })
        XCTAssertEqual(results.count, Self.tools.count)
        for (tool, result) in zip(Self.tools, results) {
            do {
                let value = try result.get()
                XCTAssertEqual(value["c"], ["x": 1, "y": 3, "z": 2], tool)
                XCTAssertEqual(value["d"]?["z"], 2, tool)
            } catch is XCTSkip {}
        }
    }

    /// A tag makes no object of a class that it names.
    func testTagsRunNothing() throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("run").path
        for (tool, text) in [
            ("python3", "a: !!python/object/apply:os.mkdir ['\(target)']"),
            ("ruby", "a: !ruby/object:OpenStruct {a: 1}"),
        ] {
            XCTAssertThrowsError(try Self.json(text, by: tool))
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: target))
    }

    func testDescriptionInYAMLIsRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "swagger: 2.0\ninfo: {title: T, version: 1}\npaths:\n  /a:\n    get:\n      summary: 2024-01-01\n      responses: {204: {description: none}}\n",
            to: "openapi.yaml")
        do {
            let generation = try Generation(Description(at: path), options: GeneratorOptions(module: "A"))
            XCTAssertEqual(generation.operationCount, 1)
        } catch {
            guard error.message.contains("neither a ruby nor a python3") else { throw error }
            _ = try Self.missing("Neither Ruby nor PyYAML is installed.")
        }
        let broken = try folder.write("openapi: [3.0.3\n", to: "broken.yaml")
        XCTAssertThrowsError(try Description(at: broken)) {
            XCTAssertTrue("\($0)".contains("not YAML that can be read"), "\($0)")
        }
    }
}
