import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Whose an entry is.
@MainActor
final class IdentityTests: XCTestCase {
    func testAnEntryWaitsForItsUser() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self, with: ["text": "of ann"])
        try await outbox.drain()
        try await desk.session.logOut()
        desk.network.set(true)
        await outbox.wait { outbox.states == [.waiting(.user)] }
        desk.logIn("bob")
        try await outbox.send(MessageManager.self, with: ["text": "of bob"])
        try await outbox.drain()
        XCTAssertEqual(transport.texts, ["of bob"], "ann's entry does not hold up bob's lane")
        XCTAssertEqual(outbox.states, [.waiting(.user)])
        desk.logIn("ann")
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["of bob", "of ann"])
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] },
            ["Bearer token-bob", "Bearer token-ann"])
    }

    /// Each try could show the login's screen.
    func testATokenThatIsRejectedWaitsForALoginOnly() async throws {
        let transport = ScriptedTransport { request, _ in
            .init(status: request.headers["Authorization"] == "Bearer token-ann" ? 401 : 200)
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self)
        await outbox.wait { outbox.states == [.waiting(.user)] }
        try await outbox.drain()
        let count = transport.requests.count
        for _ in 1...3 {
            desk.clock.advance(by: 3600)
            outbox.wake()
            try await outbox.drain()
        }
        XCTAssertEqual(transport.requests.count, count)
        desk.session.adopt(SessionTokens(accessToken: "new", user: "ann"))
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.last?.headers["Authorization"], "Bearer new")
    }

    /// The notification of a login waits for the main actor and for the disk.
    func testALoginIsNoReasonToTryAgainWithTheTokensItBrought() async throws {
        let transport = ScriptedTransport { _, _ in .init(status: 401) }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self)
        await outbox.wait { outbox.states == [.waiting(.user)] }
        outbox.wakeAfterLogin()
        try await outbox.drain()
        XCTAssertEqual(transport.requests.count, 1)
        XCTAssertEqual(outbox.states, [.waiting(.user)])
    }

    func testNoTextShowsParams() async throws {
        let desk = try Desk(self, ScriptedTransport())
        desk.network.set(false)
        let outbox = try desk.start()
        let events = outbox.events
        let entry = try await outbox.send(LikeManager.self, with: ["note": "pr1vate"])
        var dumped = ""
        dump(entry, to: &dumped)
        for await event in events {
            dump(event, to: &dumped)
            dumped += "\(event) \(entry) \(outbox.entries)"
            break
        }
        XCTAssertTrue(dumped.contains("like"))
        XCTAssertFalse(dumped.contains("pr1vate"), dumped)
    }

    func testEntriesOfAUserCanBeDiscardedAtALogout() async throws {
        let desk = try Desk(self, ScriptedTransport())
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self)
        try await outbox.send(LikeManager.self, with: ["id": 7])
        try await outbox.drain()
        try await desk.session.logOut()
        try await outbox.discardAll(of: "ann")
        XCTAssertEqual(outbox.entries.map(\.manager), ["like"])
        XCTAssertEqual(desk.files.count, 1)
    }

    /// Users change at every moment: before the request, while it is built, in flight, and between two attempts.
    func testNoEntryGoesAsAnotherUserWheneverUsersChange() async throws {
        for seed in 0..<FullLength.rounds(15, of: 40) {
            var random = SeededRandom(seed: UInt64(seed))
            let desk = try Desk(self, ScriptedTransport())
            let transport = ScriptedTransport { request, number in
                let change = number % 3 == seed % 3
                if change { await desk.logIn(number % 2 == 0 ? "ann" : "bob") }
                return .init(status: number % 5 == 0 ? 503 : 200)
            }
            let other = try Desk(self, transport, user: nil)
            let session = desk.session
            let services = ServiceFactory { _ in }
            services.register([
                .chat: { ChatService(URL(string: "https://chat.example.com")!, session) }
            ])
            let proxy = ApiProxy(
                transport: transport, services: services, caches: CacheTiers(), clock: other.clock)
            let outbox = try Outbox(
                folder: other.folder, proxy: proxy, managers: other.managers, policy: OutboxPolicy(base: 1))
            var owners: [String: String] = [:]
            for number in 0..<10 {
                let user = Bool.random(using: &random) ? "ann" : "bob"
                desk.logIn(user)
                do throws(OutboxError) {
                    let entry = try await outbox.send(
                        MessageManager.self, with: ["room": number % 3, "text": "m"])
                    XCTAssertEqual(entry.user, user, "seed \(seed)")
                    owners["\"\(entry.key)\""] = entry.user
                } catch {
                    XCTAssertEqual(error, .loggedOut, "the user left before it was stored, seed \(seed)")
                }
                if Bool.random(using: &random) { desk.logIn(user == "ann" ? "bob" : "ann") }
            }
            for round in 0..<60 where !outbox.entries.isEmpty {
                desk.logIn(round % 2 == 0 ? "ann" : "bob")
                other.clock.advance(by: 3601)
                outbox.wake()
                try await outbox.drain()
            }
            XCTAssertEqual(outbox.entries.count, 0, "seed \(seed): \(outbox.states)")
            for request in transport.requests {
                let owner = try XCTUnwrap(owners[request.headers["Idempotency-Key"] ?? ""])
                XCTAssertEqual(request.headers["Authorization"], "Bearer token-\(owner)", "seed \(seed)")
            }
        }
    }

    func testOneRejectedTokenAsksForOneLogin() async throws {
        let isNew = Locked(false)
        let transport = ScriptedTransport { _, _ in .init(status: isNew.current ? 200 : 401) }
        let desk = try Desk(self, transport)
        let login = DecliningLogin()
        desk.session.login = login
        desk.policy.lanes = 2
        desk.network.set(false)
        let outbox = try desk.start()
        for room in 1...7 { try await outbox.send(MessageManager.self, with: ["room": room]) }
        try await outbox.send(LikeManager.self)
        try await outbox.drain()
        desk.network.set(true)
        await outbox.wait { outbox.states.filter { $0 == .waiting(.user) }.count == 7 }
        try await outbox.drain()
        XCTAssertEqual(login.count, 1)
        XCTAssertNotEqual(
            outbox.entries.first { $0.manager == "like" }?.state, .waiting(.user), "it needs no login")
        isNew.current = true
        desk.session.adopt(SessionTokens(accessToken: "new", user: "ann"))
        await outbox.wait { !outbox.entries.contains { $0.manager == "message" } }
        XCTAssertEqual(login.count, 1)
    }
}
