#if os(Linux)
    import Foundation
    import XCTest

    /// The built program, as a user runs it.
    final class ProgramTests: XCTestCase {
        private let output = Pipe()
        private let errors = Pipe()

        private func start(_ arguments: String...) throws -> Process {
            let folders = [
                Bundle(for: ProgramTests.self).bundleURL.deletingLastPathComponent(),
                URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            ]
            let program = folders.map { $0.appendingPathComponent("Benchmarks") }.first {
                FileManager.default.isExecutableFile(atPath: $0.path)
            }
            let process = Process()
            process.executableURL = try XCTUnwrap(program, "Benchmarks is not built; run swift build.")
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            return process
        }

        private func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }

        func testHelpShowsTheOptions() throws {
            let process = try start("--help")
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0)
            XCTAssertTrue(text(output).hasPrefix("Usage: Benchmarks"))
        }

        func testTheStartOfAProcessIsMeasured() throws {
            let process = try start("--start", "--quick")
            let lines = text(output).split(separator: "\n")
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0)
            XCTAssertEqual(lines.count, 2, "\(lines)")
            // Tests are a debug build.
            XCTAssertTrue(text(errors).hasPrefix("warning: This is a debug build"))
            XCTAssertTrue(
                lines.first?.contains("libcurl-c ") == true && lines.first?.contains("manager ") == true)
        }

        func testARowCountsWhatACallAsksFor() throws {
            let process = try start("--row", "stub", "manager", "1", "0.1", "http://127.0.0.1:1")
            let line = text(output)
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0)
            // A call is more than ten of each, and less than ten thousand retains: a counter that stands, or counts twice
            // what it hands on, is outside.
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let counts = try XCTUnwrap(row?["counts"] as? [String: Double], line)
            XCTAssertTrue((10..<1000).contains(counts["allocations"] ?? 0), line)
            XCTAssertTrue((100..<10_000).contains(counts["retains"] ?? 0), line)
            XCTAssertTrue((0.9..<1.5).contains((counts["releases"] ?? 0) / (counts["retains"] ?? 1)), line)
            XCTAssertTrue((10..<1000).contains(counts["switches"] ?? 0), line)
            XCTAssertTrue((1..<10).contains(counts["jobs"] ?? 0), line)
            XCTAssertTrue((100..<100_000).contains(counts["copied_bytes"] ?? 0), line)
        }

        func testAnUnknownOption() throws {
            let process = try start("--fast")
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 64)
            XCTAssertTrue(text(errors).hasPrefix("error: Unknown option --fast.\n\nUsage: Benchmarks"))
            XCTAssertEqual(text(output), "")
        }

        func testEarlierRowsThatCannotBeRead() throws {
            let process = try start("--only", "stub", "--compare", "/nonexistent/rows.json")
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 66)
            XCTAssertTrue(text(errors).contains("\nerror: --compare: "))
            XCTAssertEqual(text(output), "")
        }

        func testServerEndsWithTheBenchmarks() throws {
            let process = try start("--quick", "--only", "stub")
            // The server runs when its name is printed.
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
                line += byte
            }
            XCTAssertTrue(String(decoding: line, as: UTF8.self).hasPrefix("Server: "))
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "benchmarks-\(process.processIdentifier)")
            XCTAssertTrue(FileManager.default.fileExists(atPath: folder.path))
            let server = try? String(contentsOf: folder.appendingPathComponent("pid"), encoding: .utf8)
            process.terminate()
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 128 + SIGTERM)
            XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
            if let server = server.flatMap({ pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
                XCTAssertEqual(kill(server, 0), -1, "nginx goes on")
            }
        }
    }
#endif
