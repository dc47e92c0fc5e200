#if os(Linux)
    import Foundation
    import XCTest

    /// The suite's own children.
    final class ChildRunTests: XCTestCase {
        func testARunEndsThoughWhatItHasStartedDoesNot() throws {
            // The second one is not a child of ours, and holds what the first one held.
            let run = try ChildRun.run(
                ["-c", "sleep 600 & echo $!; wait"], of: "/bin/sh", patience: 0.2)
            XCTAssertEqual(run.outcome, .hangs)
            let grandchild = try XCTUnwrap(pid_t(run.log.trimmingCharacters(in: .whitespacesAndNewlines)))
            // Killed with its group; it may wait for somebody to take its status.
            let status = try? String(contentsOfFile: "/proc/\(grandchild)/stat", encoding: .utf8)
            XCTAssertTrue(status.map { $0.contains(") Z ") } ?? true, status ?? "")
        }

        func testARunKeepsNoDescriptor() throws {
            func count() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            // The first one starts what Foundation keeps for all of them.
            _ = try ChildRun.run([], of: "/bin/true", patience: 10)
            let before = try count()
            for _ in 0..<5 { _ = try ChildRun.run([], of: "/bin/true", patience: 10) }
            XCTAssertEqual(try count(), before)
        }
    }
#endif
