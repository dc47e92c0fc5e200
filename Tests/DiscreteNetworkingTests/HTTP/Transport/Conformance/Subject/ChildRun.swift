#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// One test in a process of its own, which may fail, hang or die there.
    struct ChildRun: Sendable {
        /// How many seconds a case may take before it counts as one that hangs; fewer where it is known to.
        private static let (timeout, shortTimeout) = (120.0, 1.0)
        private static let mark = "CONFORMANCE_CHILD"

        /// Whether this process is such a child.
        static var isChild: Bool { ProcessInfo.processInfo.environment[mark] != nil }

        /// How the test did not pass; `nil` where it passed.
        let outcome: Shortcoming.Outcome?
        /// What it printed.
        let log: String

        /// Whether what the test needs is not installed.
        var isSkipped: Bool { log.contains("1 test skipped") }

        init(_ test: String, of suite: XCTestCase.Type, expecting expected: Shortcoming.Outcome) {
            let isShort = expected == .hangs || expected == .isUnreliable
            self.init(
                [Self.name(test, suite)], timeout: isShort ? Self.shortTimeout : Self.timeout,
                environment: SharedServers.environment)
        }

        /// Runs one test.
        /// - Parameter program: runs it, and says so at its end, as XCTest does.
        init(
            _ arguments: [String], of program: String = CommandLine.arguments[0], timeout: TimeInterval,
            environment: [String: String] = [:]
        ) {
            do {
                let (ending, log) = try Self.run(
                    arguments, of: program, timeout: timeout, environment: environment)
                self.log = log
                // Under a sanitizer, what follows a fatal error may be an exit with a status of its own, or a crash handler
                // that hangs.
                let isStopped =
                    log.contains("Fatal error: ") || ending != .hangs && !log.contains("Executed 1 test")
                outcome = isStopped ? .killsTheProcess : ending
            } catch {
                (outcome, log) = (nil, "The test could not be run: \(error)")
            }
        }

        /// Whether there is a test of that name.
        static func knows(_ test: String, of suite: XCTestCase.Type) -> Bool {
            tests.contains(name(test, suite))
        }

        /// Whether any class of the suite has a test of that name.
        static func knows(_ test: String) -> Bool {
            tests.contains { $0.hasSuffix("ConformanceTests/\(test)") }
        }

        /// The names of all tests in this bundle.
        private static let tests: Set<String> = {
            let text = try? run(["--list-tests"], timeout: timeout).log
            return Set(text?.split(separator: "\n").map(String.init) ?? [])
        }()

        private static func name(_ test: String, _ suite: XCTestCase.Type) -> String {
            String(reflecting: suite) + "/" + test
        }

        /// Runs a program for no longer than so many seconds.
        static func run(
            _ arguments: [String], of program: String = CommandLine.arguments[0], timeout: TimeInterval,
            environment: [String: String] = [:]
        ) throws -> (outcome: Shortcoming.Outcome?, log: String) {
            let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: output) }
            try Data().write(to: output)
            let handle = try FileHandle(forWritingTo: output)
            defer { try? handle.close() }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            // A backtrace of this bundle takes seconds, and nobody reads it.
            process.environment = ProcessInfo.processInfo.environment
                .merging([mark: "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
                .merging(environment) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = handle
            process.standardError = handle
            try process.runWithAllSignals()
            let hangs = !process.waitUntilExit(atMost: timeout)
            let log = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            if hangs { return (.hangs, log) }
            if process.terminationReason == .uncaughtSignal { return (.killsTheProcess, log) }
            return (process.terminationStatus == 0 ? nil : .fails, log)
        }
    }
#endif
