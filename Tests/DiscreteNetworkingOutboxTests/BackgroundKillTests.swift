#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingOutbox

    /// An app whose process is killed at any system call, while a daemon goes on with its transfers.
    ///
    /// `OUTBOX_KILLS=500` in the environment makes it 500 kills.
    final class BackgroundKillTests: XCTestCase {
        func testEveryTransferIsDeliveredWhereverTheAppIsKilled() async throws {
            guard AppProcess.canTrace || ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] == "1" else {
                throw XCTSkip("Processes cannot be traced here.")
            }
            let kills =
                ProcessInfo.processInfo.environment["OUTBOX_KILLS"].flatMap { Int($0) }
                ?? FullLength.rounds(1, of: 6)
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("transfers-\(UUID().uuidString)")
            addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
            let daemon = try TransferDaemon(self)
            var random = SeededRandom(seed: 11)
            var taken: [Int] = []
            var told: [Int: Int] = [:]
            var killed = 0
            var rounds = 0
            var problems: [String] = []
            func note(_ app: AppProcess) {
                taken += app.taken.map(\.number)
                problems += app.lines.filter { $0.hasPrefix("problem ") }
                for line in app.lines where line.hasPrefix("told ") {
                    if let number = Int(line.dropFirst(5)) { told[number, default: 0] += 1 }
                }
            }
            while killed < kills, rounds < 10 * kills {
                let app = try AppProcess(
                    .sends, folder, server: daemon.url.absoluteString, start: rounds * 100, count: 4,
                    tracing: Self.fault(&random), test: "BackgroundChildTests/testChildObeysItsParentProcess")
                if app.finish() { killed += 1 }
                note(app)
                rounds += 1
            }
            let last = try AppProcess(
                .sends, folder, server: daemon.url.absoluteString, count: 0,
                test: "BackgroundChildTests/testChildObeysItsParentProcess")
            XCTAssertFalse(last.finish())
            XCTAssertEqual(last.lines.last, "done")
            note(last)
            let log = try await daemon.log()
            XCTAssertEqual(Set(log.map(\.number)).count, log.count, "no transfer has two keys")
            for number in taken {
                XCTAssertTrue(log.contains { $0.number == number }, "\(number) was not sent")
                XCTAssertGreaterThan(told[number] ?? 0, 0, "\(number) was not told")
            }
            // Only a process that is killed between the delegate and the removal is told again.
            let again = told.values.map { $0 - 1 }.reduce(0, +)
            XCTAssertLessThanOrEqual(again, killed * 4)
            XCTAssertEqual(problems, [])
            let requests = log.map { $0.requests - 1 }.reduce(0, +)
            XCTAssertEqual(requests, 0, "a request was sent twice")
            for call in log { XCTAssertTrue(call.authorization.hasPrefix("Bearer ann."), call.authorization) }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            XCTAssertEqual(left.filter { $0 != "lock" }, [])
            print(
                "\(rounds) starts, \(killed) kills, \(taken.count) transfers taken, \(again) told again,",
                "\(log.count) applied")
        }

        /// Arguments of `strace` that kill the process at a system call, while a file is written or removed.
        private static func fault(_ random: inout SeededRandom) -> [String] {
            let calls = ["fsync", "renameat", "unlinkat", "fchmod"]
            let call = calls[Int.random(in: 0..<4, using: &random)]
            let number = Int.random(in: 1...40, using: &random)
            return [
                "-e", "trace=\(calls.joined(separator: ","))", "-e",
                "inject=\(call):signal=KILL:when=\(number)",
            ]
        }
    }

    /// A start of the app in a process of its own; see `AppProcess`.
    @MainActor
    final class BackgroundChildTests: XCTestCase {
        func testChildObeysItsParentProcess() async throws {
            let environment = ProcessInfo.processInfo.environment
            guard let folder = environment["OUTBOX_FOLDER"], let server = environment["OUTBOX_SERVER"],
                let user = environment["OUTBOX_USER"], let start = Int(environment["OUTBOX_START"] ?? ""),
                let count = Int(environment["OUTBOX_COUNT"] ?? ""), let url = URL(string: server)
            else { throw XCTSkip("This is done only in the child processes of other tests.") }
            @Sendable func tokens() -> SessionTokens {
                SessionTokens(accessToken: "\(user).\(UUID().uuidString)", user: user)
            }
            let session = TokenSession(refresh: { _, _ in tokens() })
            session.adopt(tokens())
            let services = ServiceFactory { _ in }
            services.register([.chat: { ChatService(url, session) }])
            let transfers = try BackgroundTransfers(
                identifier: "com.example.child", folder: URL(fileURLWithPath: folder),
                proxy: ApiProxy(services: services),
                managers: [
                    BackgroundTransferManager("message", MessageManager.self) {
                        let manager = MessageManager()
                        manager.told = { Self.say("told \($0.number)") }
                        return manager
                    }
                ]
            ) { ProcessSession(url) }
            Task { [events = transfers.events] in
                for await event in events {
                    switch event {
                    case .lost(let transfer): Self.say("problem lost \(transfer.params)")
                    case .failed(let transfer, let failure):
                        Self.say("problem \(failure.message) \(transfer.params)")
                    case .storageFailed(let error): Self.say("problem \(error)")
                    default: continue
                    }
                }
            }
            for number in start..<(start + count) {
                do {
                    let transfer = try await transfers.start(MessageManager.self, with: ["number": number])
                    Self.say("took \(number) \(transfer.id)")
                } catch {
                    Self.say("refused \(number)")
                }
            }
            try await transfers.load()
            await transfers.wait { transfers.transfers.isEmpty }
            Self.say("done")
        }

        private static func say(_ line: String) {
            FileHandle.standardOutput.write(Data("child: \(line)\n".utf8))
        }
    }
#endif
