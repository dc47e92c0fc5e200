#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What the tests below see a process of its own do.
    final class WatchdogChildTests: XCTestCase {
        override func setUpWithError() throws {
            guard ProcessInfo.processInfo.environment["WATCHDOG_CHILD"] != nil else {
                throw XCTSkip("This is done only in the child process of another test.")
            }
        }

        func testChildHoldsTheMainThread() throws { _ = try FileHandle.standardInput.readToEnd() }

        func testChildWaitsForATask() async {
            let task = Task { await Gate().pass() }
            await task.value  // This line waits.
        }

        @MainActor
        func testChildTurnsOnTheMainActor() async {
            let isOpen = false
            while !isOpen { await Task.yield() }  // This line turns.
        }

        func testChildPassesAfterwards() async {}
    }

    final class WatchdogTests: XCTestCase {
        private struct Ended {
            let status: Int32
            let output: String
            let errors: String
        }

        /// Runs tests of the class above in a process of their own, each for 0.2 s at most.
        private func run(_ tests: String...) throws -> Ended {
            let folder = try temporaryFolder()
            // In place of the debugger, which takes a while to read the symbols.
            let debugger = try folder.write(
                "gdb",
                Data(
                    "#!/bin/sh\nprintf '%s\\n' \"gdb $*\" 'Thread 1 (A):' '#1 f () at /x/Tests/Y.swift:7'"
                        .utf8))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: debugger.path)
            let (child, input) = (Process(), Pipe())
            child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = [
                tests.map { "DiscreteNetworkingTests.WatchdogChildTests/" + $0 }.joined(separator: ",")
            ]
            child.environment = [
                "WATCHDOG_CHILD": "1", "TEST_WATCHDOG_SECONDS": "0.2",
                "PATH": folder.url.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
            ]
            let (output, errors) = (try folder.write("output", Data()), try folder.write("errors", Data()))
            child.standardInput = input
            child.standardOutput = try FileHandle(forWritingTo: output)
            child.standardError = try FileHandle(forWritingTo: errors)
            try child.run()
            XCTAssertTrue(child.waitUntilExit(atMost: 30))
            return Ended(
                status: child.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
                errors: try String(contentsOf: errors, encoding: .utf8))
        }

        /// The number of the line above that ends in a comment.
        private static func number(_ comment: String) throws -> Int {
            let lines = try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n")
            return try XCTUnwrap(lines.firstIndex { $0.hasSuffix("// " + comment) }) + 1
        }

        func testATestThatWaitsFailsAtItsLineAndTheNextOneRuns() throws {
            let ended = try run(
                "testChildWaitsForATask", "testChildTurnsOnTheMainActor", "testChildPassesAfterwards")
            let name = "WatchdogChildTests.testChild"
            for (suffix, comment) in [
                ("WaitsForATask", "This line waits."), ("TurnsOnTheMainActor", "This line turns."),
            ] {
                let line = try Self.number(comment)
                XCTAssertTrue(
                    ended.output.contains(
                        "\(#filePath):\(line): error: \(name)\(suffix) : Waited 0.2 s in vain: "),
                    ended.output)
            }
            XCTAssertTrue(
                ended.output.contains("in vain: await task.value  // This line waits.\n"), ended.output)
            XCTAssertTrue(ended.output.contains("testChildPassesAfterwards' passed"), ended.output)
            XCTAssertTrue(
                ended.errors.contains("\(name)WaitsForATask has run for 0.2 s. What its threads do:\ngdb -q"),
                ended.errors
            )
            XCTAssertEqual(ended.status, 1)
        }

        func testATestThatHoldsTheMainThreadEndsTheProcessAtItsLine() throws {
            let ended = try run("testChildHoldsTheMainThread")
            XCTAssertTrue(
                ended.errors.contains(
                    "/x/Tests/Y.swift:7: error: WatchdogChildTests.testChildHoldsTheMainThread : "),
                ended.errors)
            XCTAssertEqual(ended.status, 1)
        }
    }
#endif
