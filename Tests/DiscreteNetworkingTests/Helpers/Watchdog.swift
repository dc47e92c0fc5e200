#if os(Linux)
    import DiscreteNetworkingCore
    import Dispatch
    import Foundation
    import XCTest

    /// Ends a test that takes long: says what its threads do, fails it at the line where it waits, and goes on with the next
    /// test. If the test holds the main thread, the process ends. On Linux; Xcode has its own.
    final class Watchdog: NSObject, XCTestObservation, Sendable {
        /// How long a test may take, in seconds. `TEST_WATCHDOG_SECONDS` in the environment has another limit.
        private static let limit: TimeInterval = {
            let environment = ProcessInfo.processInfo.environment
            if let seconds = environment["TEST_WATCHDOG_SECONDS"].flatMap(Double.init) { return seconds }
            // The longest test takes 10 s of processor time, and the helpers and the kit wait for 30 s at most. These say how
            // long other tests take.
            let scales = ["SOAK_SECONDS", "OUTBOX_KILLS", "GENERATOR_FUZZ_DESCRIPTIONS", "ENVIRONMENT_CALLS"]
            if scales.contains(where: { environment[$0] != nil }) { return .infinity }
            return environment["CI_FULL_LENGTH"] == "1" ? 300 : 60
        }()

        fileprivate static let shared = Watchdog()

        /// The number of tests that have started, and whether the last one still runs.
        private let tests = Locked((count: 0, isRunning: false))

        func testCaseWillStart(_ testCase: XCTestCase) {
            let number = tests.withLock { tests in
                tests = (tests.count + 1, true)
                return tests.count
            }
            // Used on the main thread only, where XCTest uses it.
            nonisolated(unsafe) let test = testCase
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.limit) { [self, name = testCase.name] in
                guard isRunning(number) else { return }
                let threads = Self.threads(name)
                DispatchQueue.main.async { [self] in
                    if isRunning(number) { HangingTest.end(test, after: Self.limit, threads: threads) }
                }
                DispatchQueue.global().asyncAfter(deadline: .now() + min(10, 10 * Self.limit)) { [self] in
                    if isRunning(number) { Self.giveUp(name, threads) }
                }
            }
        }

        func testCaseDidFinish(_ testCase: XCTestCase) { tests.withLock { $0.isRunning = false } }

        private func isRunning(_ number: Int) -> Bool { tests.current == (number, true) }

        /// Says what the threads do. The output of the suite ends before it, in a buffer.
        private static func threads(_ name: String) -> String {
            let process = ProcessInfo.processInfo.processIdentifier
            let commands = [
                "gdb -q -batch -p \(process) -ex 'thread apply all backtrace 40' 2> /dev/null",
                "lldb --batch -p \(process) -o 'thread backtrace all' 2> /dev/null",
            ]
            let output = (try? Tool.run("sh", ["-c", commands.joined(separator: " || ")])) ?? Data()
            let text = String(decoding: output, as: UTF8.self)
            say("\n\(name) has run for \(limit.formatted()) s. What its threads do:\n\(text)\n")
            return text
        }

        /// Ends the process of a test that holds the main thread, at the innermost line of a test on that thread.
        private static func giveUp(_ name: String, _ threads: String) -> Never {
            let main = threads.components(separatedBy: "\nThread 1 (").last ?? ""
            let line = HangingTest.line(in: main).map { "\($0.file):\($0.number)" } ?? "?"
            fflush(nil)
            say("\(line): error: \(name) : It holds the main thread, and can not be ended.\n")
            exit(1)
        }

        private static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
    }

    /// Called by CWatchdog. `@c` is known to Swift 6.3 only.
    @_cdecl("startWatchdog")
    func startWatchdog() { XCTestObservationCenter.shared.addTestObserver(Watchdog.shared) }
#endif
