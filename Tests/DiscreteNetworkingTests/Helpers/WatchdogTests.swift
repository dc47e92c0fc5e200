#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What the test below sees a process of its own do.
    final class WatchdogChildTests: XCTestCase {
        func testChildWaitsForItsParentProcess() throws {
            guard ProcessInfo.processInfo.environment["WATCHDOG_CHILD"] != nil else {
                throw XCTSkip("This is done only in the child process of another test.")
            }
            _ = try FileHandle.standardInput.readToEnd()
        }
    }

    final class WatchdogTests: XCTestCase {
        func testATestThatHangsIsNamed() throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            // In place of the debugger, which takes a while to read the symbols.
            let debugger = folder.url.appendingPathComponent("gdb")
            try Data("#!/bin/sh\necho \"gdb $*\"\n".utf8).write(to: debugger)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: debugger.path)
            let (child, input, errors) = (Process(), Pipe(), Pipe())
            child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = ["DiscreteNetworkingTests.WatchdogChildTests"]
            child.environment = [
                "WATCHDOG_CHILD": "1", "TEST_WATCHDOG_SECONDS": "0.1",
                "PATH": folder.url.path + ":/usr/bin:/bin",
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
            ]
            (child.standardInput, child.standardError, child.standardOutput) = (input, errors, Pipe())
            try child.run()
            defer {
                try? input.fileHandleForWriting.close()
                child.waitUntilExit()
            }
            var text = ""
            // The end of the text, which the debugger says, comes only while the test still waits.
            while !text.contains("gdb -q") {
                let more = errors.fileHandleForReading.availableData
                guard !more.isEmpty else { return XCTFail("only: " + text) }
                text += String(decoding: more, as: UTF8.self)
            }
            XCTAssertTrue(
                text.contains("WatchdogChildTests.testChildWaitsForItsParentProcess has run for 0.1 s"), text)
            XCTAssertTrue(text.contains("-p \(child.processIdentifier)"), text)
        }
    }
#endif
