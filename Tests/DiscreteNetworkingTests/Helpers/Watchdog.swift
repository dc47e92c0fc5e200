#if os(Linux)
    import DiscreteNetworkingCore
    import Dispatch
    import Foundation
    import XCTest

    /// Says the name of a test that takes long, and what its threads do: the output of a suite that hangs ends before it, in a
    /// buffer. On Linux; Xcode has its own.
    final class Watchdog: NSObject, XCTestObservation, Sendable {
        /// `TEST_WATCHDOG_SECONDS` in the environment has another limit.
        private static let limit =
            ProcessInfo.processInfo.environment["TEST_WATCHDOG_SECONDS"].flatMap(Double.init) ?? 60

        fileprivate static let shared = Watchdog()

        /// The number of tests that have started, and whether the last one still runs.
        private let tests = Locked((count: 0, isRunning: false))

        func testCaseWillStart(_ testCase: XCTestCase) {
            let number = tests.withLock { tests in
                tests = (tests.count + 1, true)
                return tests.count
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.limit) { [self, name = testCase.name] in
                if tests.current == (number, true) { Self.report(name) }
            }
        }

        func testCaseDidFinish(_ testCase: XCTestCase) { tests.withLock { $0.isRunning = false } }

        private static func report(_ name: String) {
            FileHandle.standardError.write(
                Data("\n\(name) has run for \(limit) s. What its threads do:\n".utf8))
            let process = ProcessInfo.processInfo.processIdentifier
            let commands = [
                "gdb -q -batch -p \(process) -ex 'thread apply all backtrace 40' 2> /dev/null",
                "lldb --batch -p \(process) -o 'thread backtrace all'",
            ]
            let debugger = Process()
            debugger.executableURL = URL(fileURLWithPath: "/bin/sh")
            debugger.arguments = ["-c", commands.joined(separator: " || ")]
            debugger.standardOutput = FileHandle.standardError
            debugger.standardInput = FileHandle.nullDevice
            try? debugger.run()
        }
    }

    /// Called by CWatchdog. `@c` is known to Swift 6.3 only.
    @_cdecl("startWatchdog")
    func startWatchdog() { XCTestObservationCenter.shared.addTestObserver(Watchdog.shared) }
#endif
