import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Entries of one environment while another one is the current one.
@MainActor
final class EntryEnvironmentTests: XCTestCase {
    final class StagedChat: EnvironmentService {
        let environment: EnvironmentSwitch<String>
        let configuration: ServiceConfiguration
        convenience init() { self.init(EnvironmentSwitch("live")) }
        init(_ environment: EnvironmentSwitch<String>, _ session: TokenSession? = nil) {
            self.environment = environment
            configuration = ServiceConfiguration(session: session)
        }
        func endpoint(in environment: String) -> ServiceEndpoint {
            ServiceEndpoint(baseURL: URL(string: "https://\(environment).example.com")!)
        }
    }

    func testAnEntryWaitsForItsEnvironment() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let stage = EnvironmentSwitch("live")
        desk.network.set(false)
        let outbox = try desk.start(over: desk.proxy { StagedChat(stage) })
        try await outbox.send(LikeManager.self, with: ["id": 1])
        try await outbox.drain()
        stage.current = "test"
        desk.network.set(true)
        await outbox.wait { outbox.states == [.waiting(.environment)] }
        XCTAssertEqual(transport.requests.count, 0)
        stage.current = "live"
        outbox.wake()
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.map { $0.url.host }, ["live.example.com"])
    }

    /// A login screen during which the environment is switched.
    private final class Switching: SessionLogin {
        let stage: EnvironmentSwitch<String>
        private(set) var count = 0
        init(_ stage: EnvironmentSwitch<String>) { self.stage = stage }
        func logIn(to session: TokenSession) async -> LoginOutcome {
            count += 1
            stage.current = "test"
            return .cancelled
        }
    }

    func testALoginIsThatOfTheEnvironmentOfTheEntry() async throws {
        let transport = ScriptedTransport { request, _ in
            .init(status: request.headers["Authorization"] == "Bearer new" ? 200 : 401)
        }
        let desk = try Desk(self, transport)
        let (stage, session) = (EnvironmentSwitch("live"), TokenSession())
        let login = Switching(stage)
        session.login = login
        let outbox = try start(desk, stage, session)
        func logIn(_ token: String, in environment: String) {
            stage.current = environment
            session.adopt(SessionTokens(accessToken: token, user: "ann"))
        }
        logIn("old", in: "test")
        try await session.logOut()
        logIn("old", in: "live")
        try await outbox.send(MessageManager.self)
        await outbox.wait { outbox.states == [.waiting(.user)] }
        XCTAssertEqual(stage.current, "test")

        // As many logins in another environment as there will be here.
        logIn("new", in: "test")
        outbox.wakeAfterLogin()
        try await outbox.drain()
        stage.current = "live"
        outbox.wake()
        try await outbox.drain()
        XCTAssertEqual(outbox.states, [.waiting(.user)])
        XCTAssertEqual(login.count, 1, "nobody has logged in to the environment of the entry")

        logIn("new", in: "live")
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.last?.url.host, "live.example.com")
    }

    func testAnEntryThatTheAppTriesAgainWaitsForNoLogin() async throws {
        let status = Locked(401)
        let desk = try Desk(self, ScriptedTransport { _, _ in .init(status: status.current) })
        let stage = EnvironmentSwitch("live")
        let outbox = try start(desk, stage, desk.session)
        let entry = try await outbox.send(MessageManager.self)
        await outbox.wait { outbox.states == [.waiting(.user)] }
        status.current = 200
        stage.current = "test"
        try await outbox.retry(entry.id)
        try await outbox.drain()
        XCTAssertEqual(outbox.states, [.waiting(.user)], "nobody is logged in here")
        stage.current = "live"
        outbox.wake()
        try await outbox.drain()
        XCTAssertEqual(outbox.states, [])
    }

    /// An outbox of a service whose session knows the environments.
    private func start(
        _ desk: Desk, _ stage: EnvironmentSwitch<String>, _ session: TokenSession
    ) throws -> Outbox {
        let proxy = desk.proxy { StagedChat(stage, session) }
        // The session learns of its environments.
        _ = proxy.services.configuration(for: .chat)
        return try desk.start(over: proxy)
    }

    // MARK: Changes

    /// An entry of one environment that waits for a network, with a look from another one.
    /// - Parameter isSwitched: Whether the other environment is the current one when the outbox begins.
    /// - Returns: The stored likes before it is sent, the stored ones after it, and those of a load.
    private func likes(startingElsewhere isSwitched: Bool) async throws -> [Int?] {
        let isLiked = Locked(false)
        let transport = ScriptedTransport { request, _ in
            if request.method != .get { isLiked.current = true }
            return .init(json: #"{"number":1,"likes":\#(isLiked.current ? 8 : 7)}"#)
        }
        let desk = try Desk(self, transport)
        let (stage, session) = (EnvironmentSwitch("live"), desk.session)
        /// A start of the app, with nothing in its caches.
        func start() throws -> (Outbox, PostManager) {
            let proxy = desk.proxy { StagedChat(stage, session) }
            let manager = OutboxManager(
                "message", MessageManager.self,
                optimistically: { _, cache in cache.update(PostManager()) { $0.likes += 1 } },
                make: { _ in MessageManager() })
            let post = PostManager()
            post.proxy = proxy
            return (try desk.start([manager], over: proxy), post)
        }
        var (outbox, post) = try start()
        _ = try await post.load()
        desk.network.set(false)
        try await outbox.send(MessageManager.self)
        try await outbox.drain()
        if isSwitched {
            outbox.lock?.release()
            outbox.lock = nil
            stage.current = "test"
            (outbox, post) = try start()
            try await outbox.drain()
            desk.network.set(true)
            await outbox.wait { outbox.states == [.waiting(.environment)] }
            stage.current = "live"
            _ = try await post.load()
        } else {
            stage.current = "test"
            session.adopt(SessionTokens(accessToken: "of test", user: "ann"))
            await outbox.showChangesAgain()
        }
        stage.current = "live"
        var likes = [try await post.cache.output()?.likes]
        desk.network.set(true)
        outbox.wake()
        await outbox.wait { outbox.entries.isEmpty && outbox.shown.isEmpty }
        likes.append(try await post.cache.output()?.likes)
        likes.append(try await post.load().likes)
        return likes
    }

    func testAChangeStaysWhileAnotherEnvironmentIsTheCurrentOne() async throws {
        let likes = try await likes(startingElsewhere: false)
        XCTAssertEqual(likes, [8, 8, 8])
    }

    func testAChangeIsInTheOutputAfterAStartInAnotherEnvironment() async throws {
        let likes = try await likes(startingElsewhere: true)
        XCTAssertEqual(likes, [7, nil, 8], "it is loaded again")
    }
}
