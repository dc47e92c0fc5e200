import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

extension ServiceIdentifier {
    static let chat: Self = "chat"
}

struct Receipt: Decodable, Sendable, Equatable {
    let number: Int
}

/// A backend with a session and two environments.
final class ChatService: Service {
    let baseURL: URL
    let configuration: ServiceConfiguration

    convenience init() { self.init(URL(string: "https://chat.example.com")!, nil) }
    init(_ baseURL: URL, _ session: TokenSession?) {
        self.baseURL = baseURL
        configuration = ServiceConfiguration(timeout: 30, session: session)
    }
}

final class MessageManager: APIManager<Receipt>, APIManagerInterceptor {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "messages"
    let requestType = HTTPMethod.post
    /// Keeps what it is told.
    var told: (@MainActor (Receipt) -> Void)?
    func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse) {
        if let output { told?(output) }
    }
}

final class LikeManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "likes"
    let requestType = HTTPMethod.post
    override var usesSession: Bool { false }
}

struct Post: Codable, Sendable {
    var likes: Int
}

/// Stores what entries change.
final class PostManager: APIManager<Post> {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "posts"
    let requestType = HTTPMethod.get
    override var cachePolicy: CachePolicy { .memory }
}

/// A user who closes each login screen.
final class DecliningLogin: SessionLogin {
    private(set) var count = 0
    func logIn(to session: TokenSession) async -> LoginOutcome {
        count += 1
        return .cancelled
    }
}

/// Uploads a file.
final class PictureManager: APIManager<Receipt> {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "pictures"
    let requestType = HTTPMethod.post
    private let picture: URL?

    init(_ picture: URL?) { self.picture = picture }

    override var encoding: (any ParamEncoding)? {
        picture.map { .file($0, contentType: "application/json") }
    }
}

/// A network that a test switches.
final class SwitchedNetwork: Reachability {
    private let state = Locked((isThere: true, streams: [AsyncStream<Bool>.Continuation]()))

    func isReachable(host: String) -> Bool { state.withLock { $0.isThere } }

    var changes: AsyncStream<Bool> {
        AsyncStream { continuation in
            state.withLock {
                continuation.yield($0.isThere)
                $0.streams.append(continuation)
            }
        }
    }

    func set(_ isThere: Bool) {
        let streams = state.withLock { state in
            state.isThere = isThere
            return state.streams
        }
        for stream in streams { stream.yield(isThere) }
    }
}

/// A transport whose answers a test gives.
final class ScriptedTransport: Transport {
    struct Answer {
        var status = 200
        var json = #"{"number":1}"#
        var headers: HTTPFields = [:]
        var error: TransportError?
    }

    private let state: Locked<(requests: [APIRequest], answer: @Sendable (APIRequest, Int) async -> Answer)>

    init(_ answer: @escaping @Sendable (APIRequest, Int) async -> Answer = { _, _ in Answer() }) {
        state = Locked(([], answer))
    }

    var requests: [APIRequest] { state.withLock { $0.requests } }
    var texts: [String] {
        requests.map {
            guard case .data(let data) = $0.body, case .object(let members)? = try? JSONValue(parsing: data)
            else { return "" }
            return members["text"]?.string ?? members["id"]?.canonicalText ?? ""
        }
    }
    var keys: [String] { requests.map { $0.headers["Idempotency-Key"] ?? "" } }

    func send(_ request: APIRequest) async throws -> TransportResponse {
        let (number, answer) = state.withLock { state in
            state.requests.append(request)
            return (state.requests.count, state.answer)
        }
        let result = await answer(request, number)
        if let error = result.error { throw error }
        return TransportResponse(
            url: request.url, status: result.status, headers: result.headers,
            body: .data(Data(result.json.utf8)))
    }

    func needsNetwork(for url: URL) -> Bool { true }
}

/// A folder and what uses it, as an app's starts do.
@MainActor
final class Desk {
    let folder: URL
    let clock = TestClock(now: Date(timeIntervalSince1970: 1_795_000_000))
    let network = SwitchedNetwork()
    let transport: any Transport
    var session: TokenSession
    var told: [Int] = []
    var policy = OutboxPolicy(base: 8, checkInterval: 0)

    init(_ test: XCTestCase, _ transport: any Transport, user: String? = "ann") throws {
        self.transport = transport
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("outbox-\(UUID().uuidString)")
        session = TokenSession()
        if let user { logIn(user) }
        test.addTeardownBlock { [folder] in try? FileManager.default.removeItem(at: folder) }
    }

    func logIn(_ user: String) {
        session.adopt(SessionTokens(accessToken: "token-\(user)", user: user))
    }

    func proxy(at url: URL = URL(string: "https://chat.example.com")!) -> ApiProxy {
        proxy { [session] in ChatService(url, session) }
    }

    func proxy(of chat: @escaping @Sendable () -> any Service) -> ApiProxy {
        let services = ServiceFactory { _ in }
        services.register([.chat: chat])
        return ApiProxy(
            transport: transport, services: services, caches: CacheTiers(), reachability: network,
            clock: clock)
    }

    var managers: [OutboxManager] {
        [
            OutboxManager(
                "message", MessageManager.self, lane: { "room \($0["room"]?.canonicalText ?? "")" },
                make: { _ in
                    let manager = MessageManager()
                    manager.told = { [weak self] in self?.told.append($0.number) }
                    return manager
                }),
            OutboxManager("like", LikeManager.self) { _ in LikeManager() },
        ]
    }

    /// A start of the app.
    func start(_ managers: [OutboxManager]? = nil, over proxy: ApiProxy? = nil) throws -> Outbox {
        try Outbox(
            folder: folder, proxy: proxy ?? self.proxy(), managers: managers ?? self.managers, policy: policy)
    }

    /// The next start of the app, after this one has ended.
    func restart(after outbox: Outbox, _ managers: [OutboxManager]? = nil) async throws -> Outbox {
        outbox.lock?.release()
        outbox.lock = nil
        let next = try start(managers)
        try await next.drain()
        return next
    }

    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasSuffix(".entry") }.sorted()
    }
}

extension Outbox {
    var states: [OutboxEntry.State] { entries.map(\.state) }

    /// Waits until something is so. Every change of an entry is an event.
    func wait(until isSo: @MainActor () -> Bool) async {
        let events = events
        guard !isSo() else { return }
        for await _ in events where isSo() { return }
    }
}

extension XCTestCase {
    @MainActor
    func assertThrows(
        _ expected: OutboxError, line: UInt = #line, _ work: @MainActor () async throws -> Any
    ) async {
        do {
            _ = try await work()
            XCTFail("taken", line: line)
        } catch {
            XCTAssertEqual(error as? OutboxError, expected, line: line)
            XCTAssertFalse(error.localizedDescription.contains("The operation could"), line: line)
        }
    }
}

extension Outbox {
    var failures: [OutboxFailure.Reason] {
        states.compactMap { if case .dead(let failure) = $0 { failure.reason } else { nil } }
    }
}

extension APIRequest {
    /// A member of the JSON body.
    func text(_ name: String) -> String {
        guard case .data(let data) = body, case .object(let members)? = try? JSONValue(parsing: data) else {
            return ""
        }
        return members[name]?.string ?? members[name]?.canonicalText ?? ""
    }
}

/// Small pseudo-random numbers that are the same in every run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Where requests wait until a number of them is there.
actor Meeting {
    private let count: Int
    private var arrivals = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { self.count = count }

    func arrive() async {
        arrivals += 1
        guard arrivals >= count else { return await withCheckedContinuation { waiting.append($0) } }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
