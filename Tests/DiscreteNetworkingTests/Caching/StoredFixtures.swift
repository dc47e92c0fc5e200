import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTesting

struct Article: Codable, Sendable, Equatable {
    var id: Int
    var title: String
    var likeCount = 0
    var publishedAt: Date?
}

extension ServiceIdentifier { static let press: Self = "press" }

/// A shelf of articles on a real server: `GET articles/{id}` names the user and the host's label.
final class PressBackend: Sendable {
    let server: LoopbackServer
    let likes = Locked(0)
    /// The status of a like.
    let status = Locked(200)
    /// Called when a like has come.
    let onLike = Locked<@Sendable () -> Void>({})

    init(label: String = "live", headers: [String: String] = [:]) throws {
        let (likes, status, onLike) = (likes, status, onLike)
        server = try LoopbackServer { request in
            let user = request.header("Authorization")?.replacingOccurrences(of: "Bearer ", with: "") ?? "-"
            guard request.method == "GET" else {
                onLike.current()
                if status.current == 200 { likes.withLock { $0 += 1 } }
                return .json(#"{"code":0,"data":{}}"#, status: status.current)
            }
            let id = request.path.split(separator: "/").last ?? "0"
            let article =
                #"{"id":\#(id),"title":"\#(label) \#(user)","like_count":\#(likes.current),"published_at":"2026-01-02T03:04:05Z"}"#
            return headers.reduce(.json(#"{"code":0,"data":\#(article)}"#)) { $0.adding($1.key, $1.value) }
        }
    }
}

final class PressService: EnvironmentService {
    let environment = EnvironmentSwitch(Stage.live)
    let hosts: [Stage: URL]
    let configuration: ServiceConfiguration

    convenience init() { self.init([:]) }

    init(_ hosts: [Stage: URL], session: TokenSession? = nil) {
        self.hosts = hosts
        let decoder = Params.makeDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration = ServiceConfiguration(session: session, jsonDecoder: decoder)
    }

    func endpoint(in stage: Stage) -> ServiceEndpoint {
        ServiceEndpoint(baseURL: hosts[stage] ?? URL(string: "http://127.0.0.1:9")!)
    }
    func envelope(for call: APICall) -> Envelope? { Envelope(code: "code", success: [0], payload: "data") }
}

class PressManager<Output: Decodable & Sendable>: TypedAPIManager<Output>, APIManagerChild {
    let serviceIdentifier = ServiceIdentifier.press
    var methodName: String { "articles/{id}" }
    var requestType: HTTPMethod { .get }
    var ownPolicy = CachePolicy.memory
    override var cachePolicy: CachePolicy { ownPolicy }
}

typealias ArticleManager = PressManager<Article>

/// The press on servers, with a proxy of its own.
@MainActor
struct Press {
    let backends: [Stage: PressBackend]
    let service: PressService
    let session: TokenSession?
    let clock = TestClock()
    let proxy: ApiProxy

    init(
        session: TokenSession? = nil, stages: [Stage] = [.live], disk: any ResponseCache = NoCache(),
        headers: [String: String] = [:]
    ) throws {
        var backends: [Stage: PressBackend] = [:]
        for stage in stages { backends[stage] = try PressBackend(label: "\(stage)", headers: headers) }
        self.backends = backends
        self.session = session
        let service = PressService(backends.mapValues { $0.server.baseURL }, session: session)
        self.service = service
        let services = ServiceFactory()
        services.register([.press: { service }])
        proxy = ApiProxy(
            services: services, caches: CacheTiers(disk: disk), reachability: ManualReachability(),
            clock: clock)
    }

    var live: PressBackend { backends[.live]! }

    func stop() { for backend in backends.values { backend.server.stop() } }

    func manager<Manager: BaseAPIManager>(_ make: @autoclosure () -> Manager) -> Manager {
        let manager = make()
        manager.proxy = proxy
        return manager
    }

    var articles: ArticleManager { manager(ArticleManager()) }
}

/// What a reader of a sequence has seen.
@MainActor
final class Reading<Element: Sendable> {
    private(set) var seen: [Element] = []
    private(set) var hasEnded = false
    private(set) var error: (any Error)?
    private var task: Task<Void, Never>?

    init(_ elements: AsyncThrowingStream<Element, any Error>) {
        task = Task {
            do {
                for try await element in elements { seen.append(element) }
            } catch {
                self.error = error
            }
            hasEnded = true
        }
    }

    func cancel() { task?.cancel() }
}

final class LikeManager: PressManager<NoContent> {
    override var methodName: String { "articles/{id}/likes" }
    override var requestType: HTTPMethod { .post }
    override var cachePolicy: CachePolicy { .none }
    override var retryPolicy: RetryPolicy? {
        retries ? RetryPolicy(attempts: 2, base: 0, statuses: [503], retriesUnsafeMethods: true) : nil
    }
    var retries = false
    var stale: (Params) -> [StaleOutput] = { _ in [] }
    override func invalidates(with params: Params) -> [StaleOutput] { stale(params) }
}

/// A press whose calls wait until a test answers them.
@MainActor
final class HeldPress {
    /// The outcome of each like, by its number: the status.
    private let answers = Watched<[Int: Int]>([:])
    /// The title that the server has now.
    let title = Locked("")
    let session: TokenSession?
    let clock = TestClock()
    let proxy: ApiProxy
    let requests = Locked<[String]>([])

    init(session: TokenSession? = nil, disk: any ResponseCache = MemoryCache()) {
        self.session = session
        let services = ServiceFactory()
        let service = PressService([.live: URL(string: "https://press.example.com")!], session: session)
        services.register([.press: { service }])
        let (answers, title, requests) = (answers, title, requests)
        let transport = ClosureTransport { request in
            requests.withLock { $0.append("\(request.method) \(request.url.path)") }
            guard request.method == .post else {
                return TransportResponse(
                    request, json: #"{"code":0,"data":{"id":7,"title":"\#(title.current)","like_count":0}}"#)
            }
            let number = Int(request.headers["X-Number"] ?? "") ?? 0
            await answers.wait(
                within: 30, at: TestLine(fileID: #fileID, file: #filePath, line: #line),
                until: { $0[number] != nil }, missing: { _ in "the answer \(number)" })
            return TransportResponse(
                request, json: #"{"code":0,"data":null}"#, status: answers.current[number] ?? 500)
        }
        proxy = ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: disk),
            reachability: ManualReachability(), clock: clock)
    }

    func answer(_ number: Int, status: Int) { answers.withLock { $0[number] = status } }

    func manager<Manager: BaseAPIManager>(_ make: @autoclosure () -> Manager) -> Manager {
        let manager = make()
        manager.proxy = proxy
        return manager
    }

    var articles: ArticleManager {
        let manager = manager(ArticleManager())
        manager.ownPolicy = .memoryAndDisk
        return manager
    }

    /// Appends a text to the title, and ends as the test says.
    func append(_ text: String, number: Int) -> Task<Bool, Never> {
        final class Appending: PressManager<NoContent> {
            var number = 0
            override var methodName: String { "articles/{id}/likes" }
            override var requestType: HTTPMethod { .post }
            override var headers: [String: String] { ["X-Number": "\(number)"] }
        }
        let manager = manager(Appending())
        manager.ownPolicy = .none
        manager.number = number
        let target = articles
        return Task {
            do {
                try await manager.load(with: ["id": 7]) { cache in
                    cache.update(target, with: ["id": 7]) { $0.title += text }
                }
                return true
            } catch {
                return false
            }
        }
    }

    func shown() async throws -> String? {
        try await articles.cache.output(with: ["id": 7], maxAge: .infinity)?.title
    }
}
