import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// A change that is shown before the server has responded counts once, whichever responses come meanwhile.
@MainActor
final class OptimisticCountTests: XCTestCase {
    /// A server with a number of likes. Each request waits before it is processed, and before it is answered, until the test
    /// lets it go on.
    private final class Backend: Sendable {
        struct State: Sendable {
            var likes = 10
            var waiting: [(text: String, go: CheckedContinuation<Void, Never>)] = []
            /// Likes that have neither been processed nor failed.
            var open = 0
        }
        let state = Locked(State())

        private func pause(_ text: String) async {
            await withCheckedContinuation { go in state.withLock { $0.waiting.append((text, go)) } }
        }

        func answer(_ request: APIRequest) async -> TransportResponse {
            guard request.method == .post else {
                await pause("read")
                let likes = state.current.likes
                await pause("tell \(likes)")
                return TransportResponse(
                    request, json: #"{"code":0,"data":{"id":7,"title":"","like_count":\#(likes)}}"#)
            }
            await pause("like")
            let outcome = request.headers["X-Outcome"] ?? ""
            state.withLock { state in
                guard outcome.contains("acts") else { return }
                state.open -= 1
                state.likes += 1
            }
            await pause(outcome)
            let status = Int(outcome.prefix(3)) ?? 500
            return TransportResponse(request, json: #"{"code":0,"data":null}"#, status: status)
        }

        /// - Returns: Whether a request was waiting.
        func letGo(_ index: Int) -> String? {
            let next = state.withLock { state in
                state.waiting.isEmpty ? nil : state.waiting.remove(at: index % state.waiting.count)
            }
            next?.go.resume()
            return next?.text
        }
    }

    private final class LikingManager: PressManager<NoContent> {
        var outcome = ""
        override var methodName: String { "articles/{id}/likes" }
        override var requestType: HTTPMethod { .post }
        override var headers: [String: String] { ["X-Outcome": outcome] }
    }

    /// The disk as a process sees it: what it writes after it was killed is not there.
    private final class Disk: ResponseCache {
        let memory: MemoryCache
        let isAlive = Locked(true)

        init(_ memory: MemoryCache) { self.memory = memory }

        func response(for key: CacheKey) -> CachedResponse? { memory.response(for: key) }
        func store(_ response: CachedResponse, for key: CacheKey) {
            if isAlive.current { memory.store(response, for: key) }
        }
        func remove(_ scope: CacheScope) {
            if isAlive.current { memory.remove(scope) }
        }
    }

    private struct Desk {
        let backend: Backend
        let disk: Disk
        let proxy: ApiProxy
        let policy: CachePolicy

        init(_ backend: Backend = Backend(), after last: Disk? = nil, policy: CachePolicy = .memoryAndDisk) {
            self.backend = backend
            self.policy = policy
            last?.isAlive.current = false
            disk = Disk(last?.memory ?? MemoryCache())
            let services = ServiceFactory()
            let service = PressService([.live: URL(string: "https://press.example.com")!])
            services.register([.press: { service }])
            proxy = ApiProxy(
                transport: ClosureTransport { await backend.answer($0) }, services: services,
                caches: CacheTiers(disk: disk), reachability: ManualReachability(),
                clock: TestClock())
        }

        @MainActor var articles: ArticleManager {
            let manager = ArticleManager()
            manager.proxy = proxy
            manager.ownPolicy = policy
            return manager
        }

        @MainActor func like(_ outcome: String) -> Task<Bool, Never> {
            let manager = LikingManager()
            manager.proxy = proxy
            manager.ownPolicy = .none
            manager.outcome = outcome
            let (target, backend) = (articles, backend)
            return Task {
                do {
                    try await manager.load(with: ["id": 7]) { cache in
                        cache.update(target, with: ["id": 7]) { $0.likeCount += 1 }
                    }
                    return true
                } catch {
                    if !outcome.contains("acts") { backend.state.withLock { $0.open -= 1 } }
                    return false
                }
            }
        }

        @MainActor var shown: Int? {
            get async throws {
                try await articles.cache.output(with: ["id": 7], maxAge: .infinity)?.likeCount
            }
        }

        @MainActor func waits(for texts: String...) async {
            await until { Set(backend.state.current.waiting.map(\.text)).isSuperset(of: texts) }
        }

        @MainActor func letGo(_ text: String) async {
            await waits(for: text)
            let index = backend.state.current.waiting.firstIndex { $0.text == text }
            XCTAssertEqual(backend.letGo(index ?? 0), text)
        }
    }

    /// The server has processed the like, and a reload before it is answered brings it.
    func testALikeThatAReloadBringsCountsOnce() async throws {
        for (isSuccess, policy) in [
            (true, .memoryAndDisk), (false, .memoryAndDisk), (true, .memory), (false, .memory),
        ] as [(Bool, CachePolicy)] {
            let desk = Desk(policy: policy)
            let first = Task { try await desk.articles.load(with: ["id": 7]) }
            await desk.letGo("read")
            await desk.letGo("tell 10")
            _ = try await first.value
            let outcome = isSuccess ? "200 acts" : "500 acts"
            let like = desk.like(outcome)
            await desk.letGo("like")
            await desk.waits(for: outcome)
            let reload = Task { try await desk.articles.load(with: ["id": 7], ignoringCache: true) }
            await desk.letGo("read")
            await desk.letGo("tell 11")
            let loaded = try await reload.value
            XCTAssertEqual(loaded.likeCount, 11)
            var shown = try await desk.shown
            XCTAssertEqual(shown, 11)
            await desk.letGo(outcome)
            let hasSucceeded = await like.value
            XCTAssertEqual(hasSucceeded, isSuccess)
            shown = try await desk.shown
            XCTAssertEqual(shown, isSuccess ? 11 : 10)
            // It is stale.
            let next = Task { try await desk.articles.load(with: ["id": 7]) }
            await desk.letGo("read")
            await desk.letGo("tell 11")
            _ = try await next.value
            shown = try await desk.shown
            XCTAssertEqual(shown, 11)
        }
    }

    /// Any order of likes, reloads and failures, and of kills: the next process has the disk of the last one, and loads when it
    /// starts.
    func testAtRestTheStoredOutputIsTheServers() async throws {
        for seed in 1...UInt64(FullLength.rounds(25, of: 200)) {
            var random = FixedRandom(seed: seed)
            var desk = Desk()
            let first = Task { [desk] in try await desk.articles.load(with: ["id": 7]) }
            await desk.letGo("read")
            await desk.letGo("tell 10")
            _ = try await first.value
            var manager = desk.articles
            var screen = Reading(manager.cache.outputs(with: ["id": 7]))
            var isRestarted = false
            var likes: [Task<Bool, Never>] = []
            var reloads: [Task<Void, Never>] = []
            for round in 0..<40 {
                switch Int.random(in: 0..<(seed % 2 == 0 ? 11 : 10), using: &random) {
                case 0,
                    1 where likes.count < 12:
                    let outcomes = ["200 acts", "200 acts", "409", "500", "500 acts"]
                    desk.backend.state.withLock { $0.open += 1 }
                    let count = desk.backend.state.current.waiting.count
                    likes.append(desk.like(outcomes.randomElement(using: &random) ?? ""))
                    await until { desk.backend.state.current.waiting.count > count }
                case 2:
                    let articles = desk.articles
                    let count = desk.backend.state.current.waiting.count
                    reloads.append(
                        Task { _ = try? await articles.load(with: ["id": 7], ignoringCache: true) })
                    await until { desk.backend.state.current.waiting.count > count }
                case 10 where round > 30:
                    desk = Desk(desk.backend, after: desk.disk)
                    manager = desk.articles
                    screen = Reading(manager.cache.outputs(with: ["id": 7]))
                    isRestarted = true
                default:
                    _ = desk.backend.letGo(Int.random(in: 0..<100, using: &random))
                    for _ in 0..<20 { await Task.yield() }
                }
                let shown = try await desk.shown ?? 0
                let state = desk.backend.state.current
                XCTAssertLessThanOrEqual(shown, state.likes + state.open, "seed \(seed), round \(round)")
            }
            let isOver = Locked(false)
            let ending = Task { [likes, reloads] in
                for like in likes { _ = await like.value }
                for reload in reloads { await reload.value }
                isOver.current = true
            }
            await until {
                _ = desk.backend.letGo(0)
                return isOver.current
            }
            await ending.value
            if isRestarted {
                let articles = desk.articles
                isOver.current = false
                let start = Task {
                    _ = try await articles.load(with: ["id": 7], ignoringCache: true)
                    isOver.current = true
                }
                await until {
                    _ = desk.backend.letGo(0)
                    return isOver.current
                }
                try await start.value
            }
            // The screen may load once more.
            let (count, end) = (desk.backend.state.current.likes, SystemClock().uptime + 30)
            var shown = try await desk.shown
            while shown != count || screen.seen.last??.likeCount != count, SystemClock().uptime < end {
                _ = desk.backend.letGo(0)
                await Task.yield()
                shown = try await desk.shown
            }
            XCTAssertEqual(shown, count, "seed \(seed)")
            XCTAssertEqual(screen.seen.last??.likeCount, count, "seed \(seed)")
            XCTAssertEqual(desk.proxy.caches.responses.changes.layeredCount, 0, "seed \(seed)")
            withExtendedLifetime(manager) {}
        }
    }
}
