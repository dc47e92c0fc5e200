#if os(macOS) || os(Linux)
    import DiscreteNetworkingJSON
    import Foundation
    import XCTest

    @testable import ManagerGenerator

    /// A description in many YAML files: they are converted together.
    final class ManyFilesTests: XCTestCase {
        /// The folder with a tool of the machine, or an empty one with a link to it.
        private func path(of tool: String, in folder: TemporaryFolder) throws -> String {
            let places = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
            guard
                let found = places.map({ "\($0)/\(tool)" }).first(where: FileManager.default.isExecutableFile)
            else { throw XCTSkip("\(tool) is not installed.") }
            let own = folder.url.appendingPathComponent(tool + "-only")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: own.appendingPathComponent(tool).path, withDestinationPath: found)
            return own.path
        }

        func testBothConvertersReadSeveralDocuments() throws {
            let folder = try TemporaryFolder()
            let documents = ["a: &x [1]\nb: *x\n", "- é\n- no\n", "", "x: ~"].map { Data($0.utf8) }
            let lengths = documents.map { String($0.count) }.joined(separator: ",")
            for tool in ["python3", "ruby"] {
                let value = try YAMLConverter.json(
                    documents.reduce(Data(), +), lengths: lengths, of: "four files",
                    path: path(of: tool, in: folder))
                XCTAssertEqual(value, [["a": [1], "b": [1]], ["é", "no"], nil, ["x": nil]], tool)
                // An anchor is that of its own document.
                let foreign = Data("a: &x 1\n".utf8) + Data("b: *x\n".utf8)
                XCTAssertThrowsError(
                    try YAMLConverter.json(
                        foreign, lengths: "8,6", of: "two files", path: path(of: tool, in: TemporaryFolder()))
                )
            }
            XCTAssertNil(
                YAMLConverter.values(
                    of: [Data("a: 1".utf8), Data("a: [".utf8)],
                    path: try path(of: "python3", in: TemporaryFolder())))
        }

        /// Three levels of files are converted by three processes, however many files there are.
        func testFilesOfOneLevelAreConvertedByOneProcess() throws {
            let folder = try TemporaryFolder()
            var paths = ""
            for index in 0..<40 {
                paths += "  /a\(index): { $ref: paths/a\(index).yml }\n"
                _ = try folder.write(
                    "get: { operationId: a\(index), responses: { '200': { description: '', content: { application/json: { schema: { $ref: ../models/A\(index).yaml } } } } } }\n",
                    to: "api/paths/a\(index).yml")
                _ = try folder.write(
                    "type: object\nproperties: { id: { type: integer } }\n", to: "api/models/A\(index).yaml")
            }
            let text = "openapi: 3.0.3\ninfo: { title: Many, version: '1' }\npaths:\n\(paths)"
            let path = try folder.write(text, to: "api/openapi.yaml")
            let log = folder.url.appendingPathComponent("log").path
            let tools = try self.path(of: "python3", in: folder)
            let script = "#!/bin/sh\necho start >> '\(log)'\nexec '\(tools)/python3' \"$@\"\n"
            let wrapper = try folder.write(script, to: "tools/python3")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: wrapper)
            var loader = DocumentLoader()
            loader.toolPath = folder.url.appendingPathComponent("tools").path
            let options = GeneratorOptions(input: path, module: "ManyAPI")
            let generation = try Generation.make(options, loader: loader)
            XCTAssertEqual(generation.operationCount, 40)
            XCTAssertEqual(generation.modelCount, 40)
            XCTAssertEqual(try folder.text("log"), "start\nstart\nstart\n")
        }

        func testAFileThatIsNoYAMLIsNamedWithItsReference() throws {
            let folder = try TemporaryFolder()
            var paths = ""
            for index in 0..<3 {
                paths += "  /a\(index): { $ref: a\(index).yml }\n"
                _ = try folder.write(
                    index == 1 ? "get: [" : "get: { operationId: a\(index), responses: {} }\n",
                    to: "a\(index).yml")
            }
            let path = try folder.write(
                "openapi: 3.0.3\ninfo: { title: Many, version: '1' }\npaths:\n\(paths)", to: "openapi.yaml")
            let run = CommandRun([path, "--module", "ManyAPI", "--output", folder.url.path])
            XCTAssertEqual(run.status, 3, "\(run.errors)")
            XCTAssertTrue(run.errors[0].contains("a1.yml is not YAML that can be read"), "\(run.errors)")
            XCTAssertTrue(folder.files.contains { $0.hasSuffix("A2Manager.swift") }, "\(folder.files)")
        }
    }
#endif
