import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Everything at once: two environments that the app toggles, sessions that expire, cookies, sealed bodies, plugins,
/// fail-over, limits, shared requests, caches, retries and cancellations.
///
/// `SOAK_SECONDS` says for how long; a moment by default. `.ci/soak` runs it.
@MainActor
final class EverythingSoakTests: XCTestCase {
    /// Which calls began and ended, as the proxy tells it. A call that is canceled at once ends without having begun.
    private final class Tally: APICallObserver {
        struct Counts: Sendable {
            var running: Set<RequestID> = []
            var ended: Set<RequestID> = []
            var endedTwice: [RequestID] = []
        }
        let counts = Locked(Counts())

        func observe(_ event: APICallEvent) {
            let id = event.call.requestID
            counts.withLock { counts in
                switch event.kind {
                case .started: counts.running.insert(id)
                case .finished:
                    counts.running.remove(id)
                    if !counts.ended.insert(id).inserted { counts.endedTwice.append(id) }
                default: break
                }
            }
        }
    }

    private enum Fate: CaseIterable { case plain, cached, shared, write, cancelled, dropped, recovered }

    private struct Results {
        var calls = 0
        var outcomes: [String: Int] = [:]
        var wrongs: [String] = []
        var writes: (sent: Set<Int>, acknowledged: Set<Int>) = ([], [])
    }

    private var results = Results()
    private var seconds: TimeInterval {
        ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap(Double.init)
            ?? (FullLength.isOn ? 1.5 : 0.5)
    }

    func testNothingIsLostDoubledOrCrossed() async throws {
        let backends = try Stage.allCases.map { try SoakBackend($0) }
        defer { for backend in backends { backend.stop() } }
        let service = SoakService(
            hosts: Dictionary(uniqueKeysWithValues: backends.map { ($0.stage, $0.hosts) }))
        let services = ServiceFactory()
        services.register([.test: { service }])
        let proxy = ApiProxy(
            transport: StandardTransport.make(), services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability())
        proxy.plugins = [SoakPlugin()]
        let tally = Tally()
        let observer = proxy.addObserver(tally)
        let isOver = Locked(false)
        let toggling = Task.detached {
            var random = FixedRandom(seed: 7)
            while !isOver.current {
                service.environment.current = Bool.random(using: &random) ? .staging : .live
                try? await Task.sleep(nanoseconds: .random(in: 0..<3_000_000, using: &random))
            }
        }
        let end = Date() + seconds
        let callers = (0..<64).map { number in
            Task { @MainActor in
                var random = FixedRandom(seed: UInt64(number))
                while Date() < end { await call(over: proxy, &random) }
            }
        }
        for caller in callers { await caller.value }
        isOver.current = true
        await toggling.value
        proxy.removeObserver(observer)
        check(backends, tally.counts.current, proxy)
    }

    private func check(_ backends: [SoakBackend], _ counts: Tally.Counts, _ proxy: ApiProxy) {
        let books = backends.map(\.book.current)
        let wrongs = results.wrongs + books.flatMap(\.wrongs)
        XCTAssertEqual(Array(wrongs.prefix(5)), [], "\(wrongs.count) in all")
        XCTAssertEqual(results.outcomes.values.reduce(0, +), results.calls, "one outcome for each call")
        XCTAssertEqual(counts.running.count, 0, "calls that were lost")
        XCTAssertEqual(
            counts.ended.count, results.calls + books.map(\.refreshes).reduce(0, +), "calls that ended")
        XCTAssertEqual(counts.endedTwice.count, 0, "calls that were told twice")
        XCTAssertEqual(proxy.requestIDs, [])
        XCTAssertEqual(proxy.queue.count, 0)
        var applied: [Int: Int] = [:]
        for book in books { applied.merge(book.applied, uniquingKeysWith: +) }
        XCTAssertEqual(applied.filter { $0.value > 1 }.count, 0, "writes that were applied twice")
        XCTAssertEqual(
            results.writes.acknowledged.filter { applied[$0] != 1 }.count, 0, "writes that were lost")
        XCTAssertEqual(Set(applied.keys).subtracting(results.writes.sent), [])
        for book in books { XCTAssertGreaterThan(book.requests, 0) }
        guard ProcessInfo.processInfo.environment["SOAK_SECONDS"] != nil else { return }
        let outcomes = results.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(
            "\(results.calls) calls, \(applied.count) writes, \(books.map(\.refreshes)) refreshes:",
            outcomes.joined(separator: ", "))
    }

    private func call(over proxy: ApiProxy, _ random: inout FixedRandom) async {
        guard let fate = Fate.allCases.randomElement(using: &random) else { return }
        results.calls += 1
        let number = results.calls
        let manager = SoakManager(fate == .cached ? CachePolicy(.cacheFirst) : .none)
        manager.proxy = proxy
        let screen = Screen()
        manager.delegate = screen
        if fate == .write {
            manager.isWrite = true
            results.writes.sent.insert(number)
        }
        if fate == .recovered { manager.methodName = "gone" }
        let params: Params =
            switch fate {
            case .write: ["number": .init(number)]
            case .shared: ["page": 1]
            case .recovered: [:]
            default: ["page": .init(number % 50)]
            }
        if fate == .dropped {
            manager.loadData(with: params)
            results.outcomes["dropped", default: 0] += 1
            return
        }
        let task = Task { @MainActor in
            await Self.outcome(of: manager, params)
        }
        if fate == .cancelled {
            for _ in 0..<Int.random(in: 0..<100, using: &random) { await Task.yield() }
            if Bool.random(using: &random) { task.cancel() } else { manager.cancelAllRequests() }
        }
        let outcome = await task.value
        results.outcomes[outcome, default: 0] += 1
        judge(outcome, fate, manager, screen)
        if fate == .write, outcome == "success" { results.writes.acknowledged.insert(number) }
    }

    private static func outcome(of manager: SoakManager, _ params: Params) async -> String {
        do throws(APIError) {
            let output = try await manager.load(with: params)
            return output.stage == "recovered" ? "recovered" : "success"
        } catch {
            return switch error.kind {
            case .transport(let cause): "\(cause.kind)"
            case let kind: "\(kind)"
            }
        }
    }

    private func judge(_ outcome: String, _ fate: Fate, _ manager: SoakManager, _ screen: Screen) {
        if screen.events.count != 1 { results.wrongs.append("\(fate) was told \(screen.events)") }
        let allowed: Set<String> =
            switch fate {
            case .plain, .cached, .shared, .dropped: ["success"]
            case .recovered: ["recovered"]
            case .cancelled: ["success", "cancelled"]
            case .write: ["success", "connectionLost", "http(status: 503)"]
            }
        if !allowed.contains(outcome) { results.wrongs.append("\(fate) ended with \(outcome)") }
    }
}

/// A call of ``EverythingSoakTests``.
private final class SoakManager: APIManager<StagedOutput> {
    let serviceIdentifier = ServiceIdentifier.test
    var methodName = "items"
    var isWrite = false
    var requestType: HTTPMethod { isWrite ? .post : .get }
    private let ownCache: CachePolicy
    init(_ cache: CachePolicy) {
        ownCache = cache
        super.init()
    }
    override var cachePolicy: CachePolicy { ownCache }
}
