import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What is shown before the server has responded.
@MainActor
final class OptimisticUpdateTests: XCTestCase {
    private func like(_ press: Press, _ manager: LikeManager? = nil) async throws {
        let manager = manager ?? press.manager(LikeManager())
        try await manager.load(with: ["id": 7]) { cache in
            cache.update(ArticleManager(), with: ["id": 7]) { $0.likeCount += 1 }
        }
    }

    func testAChangeIsShownAtOnceAndStoredWhenItIsConfirmed() async throws {
        let press = try Press()
        defer { press.stop() }
        _ = try await press.articles.load(with: ["id": 7])
        let manager = press.articles
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        await until { screen.seen.count == 1 }
        try await like(press)
        await until { screen.seen.map { $0?.likeCount } == [0, 1] }
        let stored = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertEqual(stored?.likeCount, 1)
        let loaded = try await press.articles.load(with: ["id": 7])
        XCTAssertEqual(loaded, stored)
        XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0)
        XCTAssertEqual(press.live.server.requests.count, 2)
        withExtendedLifetime(manager) {}
    }

    /// An app that ends after the call has the change at its next start.
    func testAConfirmedChangeIsOnTheDiskWhenTheCallReturns() async throws {
        struct SlowDisk: ResponseCache {
            let memory = MemoryCache()
            let last = Locked(Data())
            func response(for key: CacheKey) -> CachedResponse? { memory.response(for: key) }
            func store(_ response: CachedResponse, for key: CacheKey) {
                usleep(50_000)
                memory.store(response, for: key)
                last.current = response.body
            }
            func remove(_ scope: CacheScope) { memory.remove(scope) }
        }
        let disk = SlowDisk()
        let press = HeldPress(disk: disk)
        press.title.current = "a"
        _ = try await press.articles.load(with: ["id": 7])
        press.answer(1, status: 200)
        _ = await press.append("b", number: 1).value
        let stored = String(decoding: disk.last.current, as: UTF8.self)
        XCTAssertTrue(stored.contains(#""ab""#), stored)
    }

    func testAChangeIsTakenBackWhenTheCallFails() async throws {
        let press = try Press()
        defer { press.stop() }
        press.live.status.current = 409
        let before = try await press.articles.load(with: ["id": 7])
        let manager = press.articles
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        await until { screen.seen.count == 1 }
        do {
            try await like(press)
            XCTFail("no error")
        } catch {
            XCTAssertEqual((error as? APIError)?.kind, .http(status: 409))
        }
        let after = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertEqual(after, before)
        await until { screen.seen.last == .some(before) }
        XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0)
        withExtendedLifetime(manager) {}
    }

    func testAChangeIsTakenBackWhenTheCallIsNeverSent() async throws {
        let press = HeldPress()
        press.title.current = "a"
        _ = try await press.articles.load(with: ["id": 7])
        let articles = press.articles
        do {
            // The id in the path is missing.
            try await press.manager(LikeManager()).load(with: [:]) { cache in
                cache.update(articles, with: ["id": 7]) { $0.likeCount += 1 }
            }
            XCTFail("no error")
        } catch {
            XCTAssertEqual(press.requests.current.count, 1, "\(error)")
        }
        XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0)
        let stored = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertEqual(stored?.likeCount, 0)
    }

    func testACanceledCallTakesItsChangeBack() async throws {
        let press = HeldPress()
        press.title.current = "a"
        _ = try await press.articles.load(with: ["id": 7])
        let call = press.append("b", number: 1)
        await until { press.proxy.caches.responses.changes.layeredCount == 1 }
        var shown = try await press.shown()
        XCTAssertEqual(shown, "ab")
        call.cancel()
        _ = await call.value
        shown = try await press.shown()
        XCTAssertEqual(shown, "a")
        press.answer(1, status: 200)
    }

    func testAChangeThatTheCacheServesToACall() async throws {
        let press = HeldPress()
        press.title.current = "a"
        _ = try await press.articles.load(with: ["id": 7])
        let call = press.append("b", number: 1)
        await until { press.proxy.caches.responses.changes.layeredCount == 1 }
        let loaded = try await press.articles.load(with: ["id": 7])
        XCTAssertEqual(loaded.title, "ab")
        press.answer(1, status: 500)
        _ = await call.value
    }

    func testTakingBackTheFirstOfTwoKeepsTheSecond() async throws {
        for order in [[1, 2], [2, 1]] {
            let press = HeldPress()
            press.title.current = "a"
            _ = try await press.articles.load(with: ["id": 7])
            let first = press.append("b", number: 1)
            await until { press.requests.current.count == 2 }
            let second = press.append("c", number: 2)
            await until { press.requests.current.count == 3 }
            for number in order {
                press.answer(number, status: number == 1 ? 500 : 200)
                _ = await (number == 1 ? first : second).value
                let shown = try await press.shown()
                XCTAssertEqual(shown, number == order[0] && number == 2 ? "abc" : "ac", "\(order)")
            }
            XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0)
        }
    }

    func testAManagerThatStoresNothingIsNamedBeforeAnythingIsSent() async throws {
        let press = try Press()
        defer { press.stop() }
        let careless = press.articles
        careless.ownPolicy = .none
        do {
            try await press.manager(LikeManager()).load(with: ["id": 7]) { cache in
                cache.update(careless, with: ["id": 7]) { $0.likeCount += 1 }
            }
            XCTFail("no error")
        } catch {
            guard case .notCached(.notCacheable) = error.kind else { return XCTFail("\(error)") }
        }
        XCTAssertEqual(press.live.server.requests.count, 0)
    }

    // MARK: Users

    func testALogoutBetweenTheChangeAndTheFailureLeavesNothing() async throws {
        for status in [200, 500] {
            let session = TokenSession()
            let press = HeldPress(session: session)
            session.adopt(SessionTokens(accessToken: "alice"))
            press.title.current = "alice"
            _ = try await press.articles.load(with: ["id": 7])
            let call = press.append("!", number: 1)
            await until { press.requests.current.count == 2 }
            try await session.logOut()
            XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0)
            session.adopt(SessionTokens(accessToken: "bob"))
            press.title.current = "bob"
            _ = try await press.articles.load(with: ["id": 7])
            press.answer(1, status: status)
            _ = await call.value
            var shown = try await press.shown()
            XCTAssertEqual(shown, "bob")
            session.adopt(SessionTokens(accessToken: "alice"))
            shown = try await press.shown()
            XCTAssertNil(shown)
            XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0)
        }
    }

    func testAnotherUserNeverSeesTheChange() async throws {
        let session = TokenSession()
        let press = HeldPress(session: session)
        session.adopt(SessionTokens(accessToken: "alice"))
        press.title.current = "alice"
        _ = try await press.articles.load(with: ["id": 7])
        let call = press.append("!", number: 1)
        await until { press.requests.current.count == 2 }
        session.adopt(SessionTokens(accessToken: "bob"))
        press.title.current = "bob"
        _ = try await press.articles.load(with: ["id": 7])
        var shown = try await press.shown()
        XCTAssertEqual(shown, "bob")
        press.answer(1, status: 200)
        _ = await call.value
        shown = try await press.shown()
        XCTAssertEqual(shown, "bob")
    }

    // MARK: Any order

    /// The changes of the calls that have not failed, in the order in which they began, over the last response that came while
    /// none was in flight.
    private struct Model {
        var base: String
        var server: String
        var needsReload = false
        var changes: [(number: Int, text: String, isConfirmed: Bool)] = []
        /// The number of requests, with the reloads of the screen.
        var requests = 1

        var shown: String { base + changes.map(\.text).joined() }

        mutating func succeed(_ number: Int) {
            for index in changes.indices where changes[index].number == number {
                changes[index].isConfirmed = true
            }
            if needsReload { loadAgain() }
        }
        /// The server may have made the change.
        mutating func fail(_ number: Int) {
            changes.removeAll { $0.number == number }
            loadAgain()
        }
        mutating func respond(_ title: String) {
            requests += 1
            server = title
            load()
        }
        private mutating func load() {
            needsReload = changes.contains { !$0.isConfirmed }
            if !needsReload { (base, changes) = (server, []) }
        }
        private mutating func loadAgain() {
            load()
            if !needsReload { requests += 1 }
        }
    }

    func testAnyOrderOfOverlappingChangesShowsWhatTheModelSays() async throws {
        for seed in 1...FullLength.rounds(12, of: 40) {
            var random = FixedRandom(seed: UInt64(seed))
            let press = HeldPress()
            press.title.current = "S"
            _ = try await press.articles.load(with: ["id": 7])
            let manager = press.articles
            let screen = Reading(manager.cache.outputs(with: ["id": 7]))
            var model = Model(base: "S", server: "S")
            var running: [(number: Int, call: Task<Bool, Never>)] = []
            var last = 0
            for round in 0..<20 {
                let choice = Int.random(in: 0..<10, using: &random)
                if choice < 4, running.count < 6 {
                    last += 1
                    model.requests += 1
                    running.append((last, press.append("-\(last)", number: last)))
                    model.changes.append((last, "-\(last)", false))
                    await until { press.requests.current.count == model.requests }
                } else if choice < 8, let index = running.indices.randomElement(using: &random) {
                    let (number, call) = running.remove(at: index)
                    let succeeds = Bool.random(using: &random)
                    press.answer(number, status: succeeds ? 200 : 500)
                    let hasSucceeded = await call.value
                    XCTAssertEqual(hasSucceeded, succeeds)
                    if succeeds { model.succeed(number) } else { model.fail(number) }
                } else {
                    press.title.current = "S\(round)"
                    _ = try await press.articles.load(with: ["id": 7], ignoringCache: true)
                    model.respond("S\(round)")
                }
                // The next step begins when the screen has loaded what it has to.
                await until {
                    press.requests.current.count == model.requests && !manager.isLoading
                        && screen.seen.last??.title == model.shown
                }
                let shown = try await press.shown()
                XCTAssertEqual(shown, model.shown, "seed \(seed), round \(round)")
            }
            for (number, call) in running {
                press.answer(number, status: 500)
                _ = await call.value
                model.fail(number)
            }
            await until { screen.seen.last??.title == model.shown }
            let shown = try await press.shown()
            XCTAssertEqual(shown, model.shown, "seed \(seed)")
            XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0, "seed \(seed)")
            withExtendedLifetime(manager) {}
        }
    }
}
