// There are no other processes on iOS, tvOS, watchOS and visionOS.
#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import ManagerGenerator

    /// The process that converts YAML: it ends in time, and with the process that started it.
    final class ConverterTests: XCTestCase {
        private static let scripts = testFolder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/ManagerGenerator/Document/Converter")

        /// Where a tool is; the test is skipped where it is not installed.
        private func find(_ tool: String) throws -> String {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
            let found = path.split(separator: ":").map { "\($0)/\(tool)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
            if let found { return found }
            if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil {
                XCTFail("\(tool) is missing.")
            }
            throw XCTSkip("\(tool) is not installed.")
        }

        private func output(_ command: [String]) throws -> (status: Int32, text: String) {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }

        func testThePythonCompiles() throws {
            let folder = try TemporaryFolder()
            let file = Self.scripts.appendingPathComponent("yaml_converter.py").path
            let program = "import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)"
            let result = try output([find("python3"), "-c", program, file, folder.url.path + "/compiled"])
            XCTAssertEqual(result.status, 0, result.text)
        }

        func testTheRubyCompiles() throws {
            let file = Self.scripts.appendingPathComponent("yaml_converter.rb").path
            let result = try output([find("ruby"), "-wc", file])
            XCTAssertEqual(result.text, "Syntax OK\n")
        }

        /// A description that takes a converter far longer than this test.
        private static let long =
            "paths:\n" + (0..<200_000).map { "  /a\($0): {get: [a, {b: c}]}\n" }.joined()

        /// Kills `generate-managers` by SIGKILL while its converter works: the converter ends by itself.
        ///
        /// A shell stands between the two and tells through a pipe how the converter ended: 3 where its parent was gone.
        private func checkOrphan(_ tool: String) throws {
            let folder = try TemporaryFolder()
            let real = try find(tool)
            let pipe = folder.url.appendingPathComponent("pipe").path
            XCTAssertEqual(mkfifo(pipe, 0o600), 0)
            let wrapper = try folder.write(
                """
                #!/bin/sh
                exec 9>'\(pipe)'
                echo started >&9
                '\(real)' "$@" 9>&-
                echo "ended $?" >&9
                """, to: "tools/\(tool)")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: wrapper)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("generate-managers")
            process.arguments = [
                try folder.write("openapi: 3.1.0\n" + Self.long, to: "openapi.yaml"), "--module", "A",
                "--output",
                folder.url.path + "/out",
            ]
            // Python may be a script that needs other tools; Ruby is asked only where there is no Python.
            var environment = ProcessInfo.processInfo.environment
            let tools = folder.url.path + "/tools"
            environment["PATH"] =
                tool == "ruby" ? tools : "\(tools):\(environment["PATH"] ?? "/usr/bin:/bin")"
            process.environment = environment
            try process.run()
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: pipe))
            XCTAssertEqual(try handle.read(upToCount: 8), Data("started\n".utf8))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let end = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
            XCTAssertEqual(end, "ended 3\n")
        }

        func testPythonEndsWithItsParent() throws { try checkOrphan("python3") }

        func testRubyEndsWithItsParent() throws { try checkOrphan("ruby") }

        func testAConverterThatTakesTooLongIsKilled() throws {
            let converter = ConverterProcess(
                path: "/bin/sh", arguments: ["-c", "cat; true"], time: 0.1, outputLimit: 100)
            guard case .tookTooLong = try converter.run(Data("a".utf8)) else { return XCTFail("It ended.") }
        }

        func testAConverterThatWritesTooMuchIsKilled() throws {
            let converter = ConverterProcess(
                path: "/bin/sh",
                arguments: ["-c", "while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done"],
                time: 60, outputLimit: 1_000)
            guard case .wroteTooMuch = try converter.run(Data()) else { return XCTFail("It ended.") }
        }

        /// One that reads nothing of a long document is no reason for a signal here.
        func testAConverterThatReadsNothing() throws {
            let converter = ConverterProcess(
                path: "/bin/sh", arguments: ["-c", "echo no >&2; exit 7"], time: 60, outputLimit: 1_000)
            let outcome = try converter.run(Data(repeating: 0, count: 4 << 20))
            guard case .ended(7, let output, let errors) = outcome else { return XCTFail("\(outcome)") }
            XCTAssertEqual(output, Data())
            XCTAssertEqual(errors, Data("no\n".utf8))
        }

        /// Deep nesting, cycles, tags, keys and values that no JSON has: each is an error with its reason.
        func testYAMLThatJSONCannotExpressIsAnError() throws {
            let folder = try TemporaryFolder()
            for tool in ["python3", "ruby"] {
                let link = folder.url.appendingPathComponent("\(tool)-only/\(tool)")
                try FileManager.default.createDirectory(
                    at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    at: link, withDestinationURL: URL(fileURLWithPath: find(tool)))
                let path = link.deletingLastPathComponent().path
                let cases = [
                    ("a: " + String(repeating: "[", count: 5_000), ""),
                    ("a: &a {<<: *a}", "aliases make more than"),
                    ("a: !!binary aGk=", "is not one of JSON's types"),
                    ("a: !x {b: 1}", "is not one of JSON's types"),
                    ("a:\n  get: 1\n  \"get\": 2", "line 3 has the key get again"),
                    ("? [a]\n: b", "a key is not a text"), ("a: {<<: 1}", "a merge key needs mappings"),
                    ("a: *b", ""),
                    ("a: 1e999", ""),
                ]
                // At once, because each of them starts a process.
                DispatchQueue.concurrentPerform(iterations: cases.count) { index in
                    let (text, reason) = cases[index]
                    do {
                        _ = try YAMLConverter.json(Data(text.utf8), of: "openapi.yaml", path: path)
                        XCTFail("\(tool): \(text.prefix(40))")
                    } catch {
                        XCTAssertTrue("\(error)".contains("not YAML that can be read"), "\(tool): \(error)")
                        XCTAssertTrue(reason.isEmpty || "\(error)".contains(reason), "\(tool): \(error)")
                    }
                }
            }
        }
    }
#endif
