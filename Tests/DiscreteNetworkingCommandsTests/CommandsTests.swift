#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCommands

    /// The built programs, as a user runs them: one manner for all.
    final class CommandsTests: XCTestCase {
        private static let names = [
            "Benchmarks", "Storefront", "contract-check", "generate-managers", "inspect",
        ]

        private func program(_ name: String) throws -> URL {
            let folders = [
                Bundle(for: CommandsTests.self).bundleURL.deletingLastPathComponent(),
                URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            ]
            let programs = folders.map { $0.appendingPathComponent(name) }
            return try XCTUnwrap(
                programs.first { FileManager.default.isExecutableFile(atPath: $0.path) },
                "\(name) is not built; run swift build.")
        }

        private func run(
            _ program: URL, _ arguments: [String], _ environment: [String: String] = [:]
        ) throws -> (status: Int32, output: String, errors: String) {
            let (process, output, errors) = (Process(), Pipe(), Pipe())
            process.executableURL = program
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            let text = [output, errors].map {
                String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }
            process.waitUntilExit()
            return (process.terminationStatus, text[0], text[1])
        }

        func testEachHelpHasTheSameLayout() throws {
            for name in Self.names {
                let help = try run(program(name), ["--help"])
                XCTAssertEqual(help.status, 0, name)
                XCTAssertEqual(help.errors, "", name)
                let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
                XCTAssertTrue(help.output.hasPrefix("Usage: "), name)
                XCTAssertTrue(lines[0].contains(name), name)
                XCTAssertEqual(lines.filter { $0.hasPrefix("Exit status: ") }.count, 1, name)
                XCTAssertTrue(help.output.contains("64 for wrong options"), name)
                XCTAssertEqual(lines.filter { $0.count > 124 }, [], name)
                let options = lines.filter { $0.hasPrefix("  --") }
                XCTAssertTrue(
                    options.contains { $0.hasPrefix("  --help ") && $0.hasSuffix("  show this") }, name)
                for option in options {
                    // A sentence would begin with a capital and end with a full stop.
                    XCTAssertFalse(option.hasSuffix("."), "\(name): \(option)")
                    let text = "^  --[a-z-]+( [A-Z][A-Za-z=.]*)? +[a-z]"
                    XCTAssertNotNil(option.range(of: text, options: .regularExpression), "\(name): \(option)")
                }
            }
        }

        func testEachNamesTheOptionThatWasMeant() throws {
            for name in Self.names {
                let run = try run(program(name), ["--hepl"])
                XCTAssertEqual(run.status, 64, name)
                XCTAssertEqual(run.output, "", name)
                XCTAssertTrue(
                    run.errors.hasPrefix("error: Unknown option --hepl. Did you mean --help?\n\nUsage: "),
                    run.errors)
                XCTAssertTrue(run.errors.hasSuffix("\n--help shows all options.\n"), run.errors)
            }
        }

        /// The shop is walked through until it is killed, and Python's parser reads what is there.
        func testTheCallsOfAKilledProcessCanBeRead() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "Traffic-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = Process()
            process.executableURL = try program("Storefront")
            process.arguments = ["--inspect", "--traffic", folder.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            var file: URL?
            var size = 0
            // About thirty calls.
            while size < 100_000, process.isRunning {
                usleep(1000)
                file = try? FileManager.default.contentsOfDirectory(
                    at: folder, includingPropertiesForKeys: nil
                ).last
                size = (try? file.map { try Data(contentsOf: $0).count } ?? 0) ?? 0
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let script = """
                import json, sys
                lines = open(sys.argv[1], encoding="utf-8").read().split("\\n")
                calls = {}
                for number, line in enumerate(lines[:-1]):
                    log = json.loads(line)["log"]
                    calls[log["pages"][0]["_requestID"]] = log["pages"][0]["_state"], len(log["entries"])
                print(len(calls), sum(state != "running" and entries > 0 for state, entries in calls.values()))
                """
            let path = try XCTUnwrap(file?.path)
            let python = URL(fileURLWithPath: "/usr/bin/env")
            let counts = try run(python, ["python3", "-c", script, path])
            XCTAssertEqual(counts.status, 0, counts.errors)
            let numbers = counts.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            XCTAssertEqual(numbers.count, 2, counts.output)
            XCTAssertTrue(numbers.allSatisfy { $0 > 5 }, counts.output)
            // A call that was cut off, as on a full disk.
            let half = folder.appendingPathComponent("half.jsonl")
            try (try Data(contentsOf: URL(fileURLWithPath: path)) + Data(#"{"log":{"pa"#.utf8)).write(
                to: half)
            let generated = folder.appendingPathComponent("Generated")
            let generator = try run(
                program("generate-managers"),
                [half.path, "--module", "ShopAPI", "--output", generated.path])
            XCTAssertEqual(generator.status, 0, generator.errors)
            XCTAssertTrue(generator.output.contains(" managers and "), generator.output)
        }

        /// Python's terminal judges what a terminal gets.
        func testColoursAreForTerminalsOnly() throws {
            let script = """
                import os, pty, sys
                read = lambda fd: os.read(fd, 4096)
                sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))
                """
            let python = URL(fileURLWithPath: "/usr/bin/env")
            let command = ["python3", "-c", script, try program("inspect").path, "--port", "x"]
            let red = "\u{1B}[1;31merror:\u{1B}[0m --port needs"
            let terminal = ["TERM": "xterm", "NO_COLOR": ""]
            let coloured = try run(python, command, terminal)
            XCTAssertEqual(coloured.status, 64)
            XCTAssertTrue(coloured.output.hasPrefix(red), coloured.output)
            for environment in [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb", "NO_COLOR": ""]] {
                let plain = try run(python, command, environment)
                XCTAssertTrue(plain.output.hasPrefix("error: --port needs"), plain.output)
            }
            let piped = try run(program("inspect"), ["--port", "x"], terminal)
            XCTAssertTrue(piped.errors.hasPrefix("error: --port needs"), piped.errors)
        }

        func testTextOfAServerCannotCommandATerminal() throws {
            let pipe = Pipe()
            let output = CommandOutput(pipe.fileHandleForWriting)
            output.write("a\u{1B}]0;x\u{07}\u{9B}31m\u{202E}\tb\r\nc\u{2028}")
            output.overwrite("d\u{1B}[2J\n")
            try pipe.fileHandleForWriting.close()
            XCTAssertEqual(
                String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
                #"a\u{1B}]0;x\u{07}\u{009B}31m\u{202E}"# + "\tb" + #"\r"# + "\n" + #"c\u{2028}"#
                    + "\n\r" + #"d\u{1B}[2J\n"# + "\u{1B}[K")
        }

        func testTheTableOfContractsIsColouredOnATerminal() throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let contracts = root.appendingPathComponent("Samples/ContractCheck/Contracts").path
            let arguments = [
                "--contracts", contracts, "--only", "DeliveryManager", "--drift", "number-as-string",
            ]
            let script = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
            let python = URL(fileURLWithPath: "/usr/bin/env")
            let command = try ["python3", "-c", script, program("contract-check").path] + arguments
            let terminal = ["TERM": "xterm", "NO_COLOR": ""]
            let coloured = try run(python, command, terminal)
            XCTAssertEqual(coloured.status, 1, coloured.output)
            XCTAssertTrue(coloured.output.contains("  \u{1B}[1;31mBREAKING\u{1B}[0m"), coloured.output)
            XCTAssertTrue(
                coloured.output.contains("    \u{1B}[1;31mbreaking\u{1B}[0m content"), coloured.output)
            XCTAssertTrue(
                coloured.output.contains("\rChecking DeliveryManager, 1 of 1\u{1B}[K"), coloured.output)
            let plain = try run(python, command, ["TERM": "xterm", "NO_COLOR": "1"])
            XCTAssertFalse(plain.output.contains("\u{1B}[1;"), plain.output)
            let piped = try run(program("contract-check"), arguments, terminal)
            XCTAssertFalse(piped.output.contains("\u{1B}"), piped.output)
            XCTAssertFalse(piped.output.contains("Checking"), piped.output)
        }

        func testProgressIsForTerminalsOnly() throws {
            let pipe = Pipe()
            let output = CommandOutput(pipe.fileHandleForWriting, environment: [:])
            output.showProgress("1 of 2")
            output.write("done")
            try pipe.fileHandleForWriting.close()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            XCTAssertEqual(text, "done\n")
        }

        func testInspectSaysWhatIsWrongWithAFile() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "Files-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let json = folder.appendingPathComponent("other.json")
            try Data(#"{"log":{}}"#.utf8).write(to: json)
            for (path, status, message) in [
                (
                    "/etc/passwd", 65,
                    "/etc/passwd is not an HTTP Archive, nor a file of a TrafficFile. Export a HAR"
                ),
                (json.path, 65, "\(json.path) is not an HTTP Archive"),
                ("/nonexistent", 66, "/nonexistent cannot be read: There is no such file. Correct the path."),
                (
                    folder.path, 66,
                    "\(folder.path) has no file of a TrafficFile (calls-….jsonl). Give the folder"
                ),
            ] {
                let run = try run(program("inspect"), [path])
                XCTAssertEqual(run.status, Int32(status), run.errors)
                XCTAssertTrue(run.errors.hasPrefix("error: \(message)"), run.errors)
                XCTAssertEqual(run.output, "")
            }
        }

        func testOnlyTheFirstWordIsColoured() {
            XCTAssertEqual(CommandOutput.painted("✓ 3 Log in"), "\u{1B}[1;32m✓\u{1B}[0m 3 Log in")
            XCTAssertEqual(CommandOutput.painted("warning: no"), "\u{1B}[1;33mwarning:\u{1B}[0m no")
            XCTAssertEqual(CommandOutput.painted("no error: here"), "no error: here")
        }
    }
#endif
