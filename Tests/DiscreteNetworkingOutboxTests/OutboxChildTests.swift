#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingOutbox

    /// A start of the app in a process of its own: this test binary again, with an order in its environment. See `AppProcess`.
    @MainActor
    final class OutboxChildTests: XCTestCase {
        /// Queues calls, says which were taken, and sends what it can.
        func testChildObeysItsParentProcess() async throws {
            let environment = ProcessInfo.processInfo.environment
            guard let folder = environment["OUTBOX_FOLDER"], let server = environment["OUTBOX_SERVER"],
                let user = environment["OUTBOX_USER"], let start = Int(environment["OUTBOX_START"] ?? ""),
                let count = Int(environment["OUTBOX_COUNT"] ?? ""), let url = URL(string: server),
                let role = AppProcess.Role(rawValue: environment["OUTBOX_ROLE"] ?? "")
            else { throw XCTSkip("This is done only in the child processes of other tests.") }
            @Sendable func tokens() -> SessionTokens {
                SessionTokens(accessToken: "\(user).\(UUID().uuidString)", user: user)
            }
            let session = TokenSession(refresh: { _, _ in tokens() })
            session.adopt(tokens())
            let services = ServiceFactory { _ in }
            services.register([.chat: { ChatService(url, session) }])
            let outbox = try Outbox(
                folder: URL(fileURLWithPath: folder), proxy: ApiProxy(services: services),
                managers: [
                    OutboxManager(
                        "message", MessageManager.self, lane: { $0["room"]?.canonicalText ?? "" },
                        make: { _ in MessageManager() }),
                    OutboxManager(
                        "picture", PictureManager.self, lane: { $0["room"]?.canonicalText ?? "" },
                        make: { PictureManager($0["picture"]) }),
                ], policy: OutboxPolicy(attempts: 1000, base: 0.01, cap: 0.05, checkInterval: 0.05))
            let events = outbox.events
            for number in start..<(start + count) {
                // A process beside another has lanes of its own: which of them is first is not known.
                let room = number % 3 + (role == .adds ? 3 : 0)
                let params: Params = ["room": room, "number": number, "user": user]
                do {
                    let entry =
                        environment["OUTBOX_FILES"] == nil
                        ? try await outbox.send(MessageManager.self, with: params)
                        : try await send(params, by: outbox)
                    say("took \(number) \(entry.key)")
                } catch {
                    say("refused \(number)")
                }
            }
            if role == .adds { return say("done") }
            try? await outbox.load()
            if role == .stays {
                say("ready")
                for await event in events {
                    if case .sent = event { say("sent") }
                }
            }
            await outbox.wait { outbox.isLoaded && outbox.entries.allSatisfy { $0.user != user } }
            say("done")
        }

        /// Sends the params as a file, which is not the app's any more when the outbox has it.
        private func send(_ params: Params, by outbox: Outbox) async throws -> OutboxEntry {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(params.canonical.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            return try await outbox.send(PictureManager.self, with: params, files: ["picture": file])
        }

        private func say(_ line: String) {
            FileHandle.standardOutput.write(Data("child: \(line)\n".utf8))
        }
    }
#endif
