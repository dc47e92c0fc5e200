#if os(Linux)
    import DiscreteNetworking
    import Foundation
    import XCTest

    /// An app that is killed at any system call, whose disk fails, and that is started again.
    ///
    /// `OUTBOX_KILLS=500` in the environment makes it 500 kills and at least 10,000 calls.
    final class KillTests: XCTestCase {
        func testNothingIsLostOrAppliedTwiceWhereverTheAppIsKilled() throws {
            try check(Self.histories.calls.get())
        }

        func testUploadsAreNotLostOrAppliedTwiceWhereverTheAppIsKilled() throws {
            let history = try Self.histories.uploads.get()
            try check(history)
            for name in history.left.filter({ $0.contains(".body") }) {
                // What a killed process has left; no entry needs it.
                XCTAssertTrue(name.hasSuffix(".body") || name.hasSuffix(".body.new"), name)
            }
        }

        private func check(_ history: History) throws {
            XCTAssertEqual(history.ends, ["done", "done"])
            let log = history.log
            XCTAssertEqual(Set(log.map(\.key)).count, log.count)
            XCTAssertEqual(Set(log.map(\.number)).count, log.count, "no call has two entries")
            let keys = Set(log.map(\.key))
            for (key, number) in history.taken { XCTAssertTrue(keys.contains(key), "\(number) is lost") }
            for call in log {
                XCTAssertTrue(call.authorization.hasPrefix("Bearer \(call.user)."), call.authorization)
                XCTAssertFalse(history.refused.contains(call.number), "\(call.number) was refused")
            }
            for lane in Dictionary(grouping: log, by: { "\($0.room) \($0.user)" }).values {
                XCTAssertEqual(lane.map(\.number), lane.map(\.number).sorted(), "the order of a lane")
            }
            XCTAssertEqual(history.left.filter { $0.hasSuffix(".entry") }, [])
            print(
                "\(history.rounds) starts, \(history.killed) kills, \(history.taken.count) calls taken,",
                "\(history.refused.count) refused, \(log.count) applied; \(history.faults)")
        }

        // MARK: Kills

        /// An app that was killed again and again, and started twice more.
        private struct History: Sendable {
            /// The numbers of the calls that it has taken, by their keys.
            var taken: [String: Int] = [:]
            var refused: Set<Int> = []
            var killed = 0
            var rounds = 0
            /// The last lines of the last two starts; `nil` for one that was killed.
            var ends: [String?] = []
            var log: [CountingServer.Applied] = []
            var faults: [String: Int] = [:]
            /// The files that are left.
            var left: [String] = []

            mutating func note(_ app: AppProcess) {
                for call in app.taken { taken[call.key] = call.number }
                refused.formUnion(app.refused)
            }
        }

        /// At once, because each takes seconds.
        private static let histories:
            (calls: Result<History, any Error>, uploads: Result<History, any Error>) = {
                let uploads = Locked<Result<History, any Error>?>(nil)
                let end = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    let history = Result { try killAgainAndAgain("OUTBOX_FILE_KILLS", files: true) }
                    uploads.current = history
                    end.signal()
                }
                let calls = Result { try killAgainAndAgain("OUTBOX_KILLS") }
                end.wait()
                return (calls, uploads.current ?? .failure(CocoaError(.featureUnsupported)))
            }()

        /// - Parameter variable: The number of kills in the environment.
        private static func killAgainAndAgain(_ variable: String, files: Bool = false) throws -> History {
            let kills =
                ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
                ?? FullLength.rounds(1, of: 5)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "outbox-\(UUID().uuidString)")
            let server = try CountingServer()
            defer {
                server.stop()
                try? FileManager.default.removeItem(at: folder)
            }
            var random = SeededRandom(seed: 7)
            var history = History()
            while history.rounds < 3 || AppProcess.canTrace && history.killed < kills
                || history.taken.count < 20 * kills
            {
                let rounds = history.rounds
                let user = rounds % 2 == 0 ? "ann" : "bob"
                let app = try AppProcess(
                    .sends, folder, server: server.url, user: user, start: rounds * 1000, count: 30,
                    tracing: AppProcess.canTrace ? fault(&random) : nil, files: files)
                // An extension of the app, at the same time.
                let other =
                    rounds % 3 == 2
                    ? try AppProcess(
                        .adds, folder, server: server.url, user: user, start: rounds * 1000 + 500, count: 5,
                        files: files)
                    : nil
                if app.finish() { history.killed += 1 }
                _ = other?.finish()
                history.note(app)
                if let other { history.note(other) }
                history.rounds += 1
                if history.rounds % 50 == 0 {
                    print(
                        "\(history.rounds) starts, \(history.killed) kills, \(history.taken.count) calls taken"
                    )
                }
            }
            for user in ["ann", "bob"] {
                let app = try AppProcess(.sends, folder, server: server.url, user: user, count: 0)
                let isKilled = app.finish()
                history.ends.append(isKilled ? nil : app.lines.last)
            }
            history.log = try server.log()
            history.faults = try server.faults()
            history.left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return history
        }

        /// Arguments of `strace` that kill the process at a system call, while an entry is written or removed; for some starts the
        /// disk fails before.
        private static func fault(_ random: inout SeededRandom) -> [String] {
            let calls = ["fsync", "renameat", "unlinkat", "fchmod", "fsync"]
            let call = calls[Int.random(in: 0..<5, using: &random)]
            let number = Int.random(in: 1...45, using: &random)
            var faults = ["inject=\(call):signal=KILL:when=\(number)"]
            if Int.random(in: 0..<4, using: &random) == 0 {
                let failing = call == "renameat" ? "fsync" : "renameat"
                let error = ["EIO", "ENOSPC"][Int.random(in: 0..<2, using: &random)]
                let when = Int.random(in: 1...10, using: &random)
                faults.append("inject=\(failing):error=\(error):when=\(when)+7")
            }
            return ["-e", "trace=fsync,renameat,unlinkat,fchmod"] + faults.flatMap { ["-e", $0] }
        }

        /// The entry is renamed, and the folder cannot be synchronized.
        func testACallThatWasRefusedIsNotSentLater() throws {
            try XCTSkipUnless(
                AppProcess.canTrace || ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] == "1")
            let folder = temporaryFolder()
            let server = try CountingServer(self)
            let app = try AppProcess(
                .sends, folder, server: server.url, count: 2,
                tracing: ["-P", folder.path, "-e", "trace=fsync", "-e", "inject=fsync:error=EIO"])
            XCTAssertFalse(app.finish())
            XCTAssertEqual(app.refused, [0, 1])
            let next = try AppProcess(.sends, folder, server: server.url, count: 0)
            XCTAssertFalse(next.finish())
            XCTAssertEqual(try server.log().map(\.number), [])
        }

        // MARK: Two processes

        func testAnotherProcessSendsWhenTheOneThatSendsIsKilled() throws {
            let folder = temporaryFolder()
            let server = try CountingServer(self)
            let first = try AppProcess(.stays, folder, server: server.url + "/silent", count: 6)
            first.wait(for: "ready")
            let second = try AppProcess(.sends, folder, server: server.url, start: 6, count: 6)
            second.wait(for: "took 11")
            XCTAssertEqual(try server.log().count, 0, "the first one has the lock")
            first.kill()
            XCTAssertFalse(second.finish())
            XCTAssertEqual(second.lines.last, "done")
            let log = try server.log()
            XCTAssertEqual(Set(log.map(\.number)), Set(0..<12))
            for lane in Dictionary(grouping: log, by: \.room).values {
                XCTAssertEqual(lane.map(\.number), lane.map(\.number).sorted())
            }
        }

        func testTheProcessThatSendsFindsTheEntriesOfAnother() throws {
            let folder = temporaryFolder()
            let server = try CountingServer(self)
            let first = try AppProcess(.stays, folder, server: server.url, count: 0)
            first.wait(for: "ready")
            for start in [0, 3] {
                let second = try AppProcess(.adds, folder, server: server.url, start: start, count: 3)
                XCTAssertFalse(second.finish())
                XCTAssertEqual(second.taken.map(\.number), Array(start..<start + 3))
                for _ in 0..<3 { first.wait(for: "sent") }
            }
            XCTAssertEqual(Set(try server.log().map(\.number)), Set(0..<6))
            first.kill()
        }

        private func temporaryFolder() -> URL {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "outbox-\(UUID().uuidString)")
            addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
            return folder
        }
    }
#endif
