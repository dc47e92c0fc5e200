#if os(Linux)
    import Foundation
    import XCTest

    /// The suite's own children.
    final class ChildRunTests: XCTestCase {
        func testARunEndsThoughWhatItHasStartedDoesNot() throws {
            // The second one is not a child of ours, and holds what the first one held.
            let run = try ChildRun.run(
                ["-c", "sleep 600 & echo $!; wait"], of: "/bin/sh", timeout: 0.2)
            XCTAssertEqual(run.outcome, .hangs)
            let grandchild = try XCTUnwrap(pid_t(run.log.trimmingCharacters(in: .whitespacesAndNewlines)))
            // Killed with its group; it may still be dying, and then wait for somebody to take its status.
            func status() -> String? {
                try? String(contentsOfFile: "/proc/\(grandchild)/stat", encoding: .utf8)
            }
            let deadline = Date() + 10
            while status()?.contains(") Z ") == false, Date() < deadline { sched_yield() }
            XCTAssertTrue(status()?.contains(") Z ") ?? true, status() ?? "")
        }

        /// A sanitizer's or a runtime's own end of the process may be an ordinary exit.
        func testATestThatIsNotRunToItsEndKillsTheProcess() {
            let cases = [
                ("kill -ABRT $$", Shortcoming.Outcome.killsTheProcess),
                ("echo 'Fatal error: No response.'; exit 66", .killsTheProcess),
                ("echo 'Foundation.swift:240: Fatal error: No response.'; sleep 600", .killsTheProcess),
                ("sleep 600", .hangs), ("echo ' Executed 1 test, with 1 failure'; exit 1", .fails),
                ("echo ' Executed 1 test, with 1 failure'; kill -ABRT $$", .killsTheProcess),
                ("echo ' Executed 1 test, with 0 failures'", nil), ("exit 0", .killsTheProcess),
            ]
            // At once, because some of them are waited for.
            DispatchQueue.concurrentPerform(iterations: cases.count) { index in
                let (script, outcome) = cases[index]
                let run = ChildRun(["-c", script], of: "/bin/sh", timeout: script.contains("sleep") ? 1 : 20)
                XCTAssertEqual(run.outcome, outcome, script)
            }
        }

        func testARunKeepsNoDescriptor() throws {
            func count() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            // The first one starts what Foundation keeps for all of them.
            _ = try ChildRun.run([], of: "/bin/true", timeout: 10)
            let before = try count()
            for _ in 0..<5 { _ = try ChildRun.run([], of: "/bin/true", timeout: 10) }
            XCTAssertEqual(try count(), before)
        }
    }
#endif
