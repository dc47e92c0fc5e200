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

        /// What a program said, and how it ended.
        private struct Run {
            let status: Int32
            let output: String
            let errors: String
        }

        /// A program that runs.
        private struct Started {
            let process = Process()
            let output = Pipe()
            let errors = Pipe()

            init(_ program: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws {
                process.executableURL = program
                process.arguments = arguments
                process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = output
                process.standardError = errors
                try process.run()
            }

            /// Waits for its end. Several programs run at once if all are started before the first one is waited for.
            func end() -> Run {
                let text = [output, errors].map {
                    String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                }
                process.waitUntilExit()
                return Run(status: process.terminationStatus, output: text[0], errors: text[1])
            }
        }

        func testEachHelpHasTheSameLayout() throws {
            let runs = try Self.names.map { try Started(program($0), ["--help"]) }
            for (name, run) in zip(Self.names, runs) {
                let help = run.end()
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
            let runs = try Self.names.map { try Started(program($0), ["--hepl"]) }
            for (name, started) in zip(Self.names, runs) {
                let run = started.end()
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
            let counts = try Started(python, ["python3", "-c", script, path]).end()
            XCTAssertEqual(counts.status, 0, counts.errors)
            let numbers = counts.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            XCTAssertEqual(numbers.count, 2, counts.output)
            XCTAssertTrue(numbers.allSatisfy { $0 > 5 }, counts.output)
            // A call that was cut off, as on a full disk.
            let half = folder.appendingPathComponent("half.jsonl")
            try (try Data(contentsOf: URL(fileURLWithPath: path)) + Data(#"{"log":{"pa"#.utf8)).write(
                to: half)
            let generated = folder.appendingPathComponent("Generated")
            let generator = try Started(
                program("generate-managers"),
                [half.path, "--module", "ShopAPI", "--output", generated.path]
            )
            .end()
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
            let runs = try [
                Started(python, command, terminal),
                Started(python, command, ["TERM": "xterm", "NO_COLOR": "1"]),
                Started(python, command, ["TERM": "dumb", "NO_COLOR": ""]),
                Started(program("inspect"), ["--port", "x"], terminal),
            ]
            .map { $0.end() }
            let (coloured, plain, piped) = (runs[0], runs[1...2], runs[3])
            XCTAssertEqual(coloured.status, 64)
            XCTAssertTrue(coloured.output.hasPrefix(red), coloured.output)
            for plain in plain {
                XCTAssertTrue(plain.output.hasPrefix("error: --port needs"), plain.output)
            }
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
            let check = try program("contract-check")
            let command = ["python3", "-c", script, check.path] + arguments
            let terminal = ["TERM": "xterm", "NO_COLOR": ""]
            let runs = try [
                Started(python, command, terminal),
                Started(python, command, ["TERM": "xterm", "NO_COLOR": "1"]),
                Started(check, arguments, terminal),
            ]
            .map { $0.end() }
            let (coloured, plain, piped) = (runs[0], runs[1], runs[2])
            XCTAssertEqual(coloured.status, 1, coloured.output)
            XCTAssertTrue(coloured.output.contains("  \u{1B}[1;31mBREAKING\u{1B}[0m"), coloured.output)
            XCTAssertTrue(
                coloured.output.contains("    \u{1B}[1;31mbreaking\u{1B}[0m content"), coloured.output)
            XCTAssertTrue(
                coloured.output.contains("\rChecking DeliveryManager, 1 of 1\u{1B}[K"), coloured.output)
            XCTAssertFalse(plain.output.contains("\u{1B}[1;"), plain.output)
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
            let cases: [(path: String, status: Int32, message: String)] = [
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
            ]
            let runs = try cases.map { try Started(program("inspect"), [$0.path]) }
            for (started, expected) in zip(runs, cases) {
                let run = started.end()
                XCTAssertEqual(run.status, expected.status, run.errors)
                XCTAssertTrue(run.errors.hasPrefix("error: \(expected.message)"), run.errors)
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
