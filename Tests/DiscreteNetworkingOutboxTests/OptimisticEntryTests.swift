import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// What an entry shows until it has ended, and how far the outbox is.
@MainActor
final class OptimisticEntryTests: XCTestCase {
    private let status = Locked(200)

    private func makeDesk() throws -> Desk {
        try Desk(
            self,
            ScriptedTransport { [status] request, _ in
                .init(
                    status: request.method == .get ? 200 : status.current,
                    json: #"{"number":1,"likes":7}"#)
            })
    }

    private var managers: [OutboxManager] {
        [
            OutboxManager(
                "message", MessageManager.self,
                optimistically: { params, cache in
                    let count = params["count"]?.int ?? 1
                    cache.update(PostManager()) { $0.likes += count }
                }, make: { _ in MessageManager() })
        ]
    }

    /// The stored likes; loads them first.
    private func load(_ outbox: Outbox) async throws -> Int? {
        _ = try await post(outbox).load()
        return try await likes(outbox)
    }

    private func likes(_ outbox: Outbox) async throws -> Int? {
        try await post(outbox).cache.output()?.likes
    }

    private func post(_ outbox: Outbox) -> PostManager {
        let manager = PostManager()
        manager.proxy = outbox.proxy
        return manager
    }

    func testAChangeIsShownWhileItsEntryWaitsAndStaysWhenItIsSent() async throws {
        let desk = try makeDesk()
        let outbox = try desk.start(managers)
        var likes = try await load(outbox)
        XCTAssertEqual(likes, 7)
        desk.network.set(false)
        try await outbox.send(MessageManager.self)
        try await outbox.send(MessageManager.self, with: ["count": 10])
        likes = try await self.likes(outbox)
        XCTAssertEqual(likes, 18)
        // An attempt that fails after the network is back waits for its time.
        try await outbox.drain()
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        likes = try await self.likes(outbox)
        XCTAssertEqual(likes, 18)
        XCTAssertEqual(outbox.shown.count, 0)
        XCTAssertEqual(outbox.proxy.caches.responses.changes.layeredCount, 0, "it is in the stored output")
    }

    /// An entry in flight: the server has the like, and has not responded yet. A response to another call may have it, too.
    /// - Returns: The likes that are stored when the entry was sent.
    @discardableResult
    private func like(_ work: (Outbox, UUID) async throws -> Void) async throws -> Int? {
        let (isLiked, isAnswered) = (Locked(false), Locked(false))
        let desk = try Desk(
            self,
            ScriptedTransport { request, _ in
                if request.method != .get {
                    isLiked.current = true
                    while !isAnswered.current { await Task.yield() }
                }
                return .init(json: #"{"number":1,"likes":\#(isLiked.current ? 8 : 7)}"#)
            })
        let outbox = try desk.start(managers)
        _ = try await load(outbox)
        let entry = try await outbox.send(MessageManager.self)
        while !isLiked.current { await Task.yield() }
        try await work(outbox, entry.id)
        isAnswered.current = true
        await outbox.wait { outbox.entries.isEmpty && outbox.shown.isEmpty }
        let stored = try await likes(outbox)
        let likes = try await load(outbox)
        XCTAssertEqual(likes, 8, "the server's")
        return stored
    }

    func testAChangeOfAnEntryInFlightCountsOnce() async throws {
        try await like { outbox, _ in
            let loaded = try await post(outbox).load(ignoringCache: true)
            XCTAssertEqual(loaded.likes, 8)
            let likes = try await likes(outbox)
            XCTAssertEqual(likes, 8, "the stored response and the change")
        }
    }

    /// A login has all changes shown again, and a response may come at any moment of that.
    func testAChangeThatIsShownAgainInFlightCountsOnce() async throws {
        try await like { outbox, _ in
            for round in 0..<200 {
                async let shown: Void = outbox.showChangesAgain()
                for _ in 0..<round % 20 { await Task.yield() }
                _ = try await post(outbox).load(ignoringCache: true)
                await shown
                let likes = try await likes(outbox)
                XCTAssertEqual(likes, 8, "round \(round)")
            }
        }
    }

    func testAChangeThatIsShownAgainInFlightStaysWhenItIsSent() async throws {
        let stored = try await like { outbox, _ in await outbox.showChangesAgain() }
        XCTAssertEqual(stored, 8, "nothing has to be loaded again")
    }

    /// As after a logout that took back what was shown: what is loaded then may have the change.
    func testAChangeThatIsShownFirstWhenItIsInFlightCountsOnceInTheEnd() async throws {
        try await like { outbox, id in
            await outbox.settleChanges(of: id, isConfirmed: false)
            _ = try await post(outbox).load(ignoringCache: true)
            await outbox.showChanges(of: id)
            let likes = try await likes(outbox)
            XCTAssertEqual(likes, 9)
        }
    }

    func testAChangeIsTakenBackWhenItsEntryDiesOrIsDiscarded() async throws {
        let desk = try makeDesk()
        let outbox = try desk.start(managers)
        _ = try await load(outbox)
        status.current = 422
        let entry = try await outbox.send(MessageManager.self)
        try await outbox.drain()
        var likes = try await likes(outbox)
        XCTAssertEqual(likes, 7)
        desk.network.set(false)
        try await outbox.retry(entry.id, with: ["count": 5])
        likes = try await self.likes(outbox)
        XCTAssertEqual(likes, 12, "it waits again")
        try await outbox.drain()
        try await outbox.discard(entry.id)
        likes = try await self.likes(outbox)
        XCTAssertEqual(likes, 7)
    }

    func testAChangeIsShownAgainAfterARestart() async throws {
        let desk = try makeDesk()
        desk.network.set(false)
        let outbox = try desk.start(managers)
        try await outbox.send(MessageManager.self, with: ["count": 3])
        try await outbox.drain()
        let next = try await desk.restart(after: outbox, managers)
        desk.network.set(true)
        status.current = 503
        let likes = try await load(next)
        XCTAssertEqual(likes, 10)
    }

    func testADiscardedEntryThatTheServerMayHaveIsLoadedAgain() async throws {
        let transport = ScriptedTransport { request, _ in
            .init(status: request.method == .get ? 200 : 503, json: #"{"number":1,"likes":7}"#)
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start(managers)
        _ = try await load(outbox)
        let entry = try await outbox.send(MessageManager.self)
        try await outbox.drain()
        try await outbox.discard(entry.id)
        let count = transport.requests.count
        let likes = try await load(outbox)
        XCTAssertEqual(likes, 7)
        XCTAssertEqual(transport.requests.count, count + 1, "what was stored is stale")
    }

    /// The server has the like, and its response was lost with the process: what is loaded before the entry has ended may count
    /// it twice, and is not kept.
    func testAChangeOfAnEarlierStartCountsOnceInTheEnd() async throws {
        let desk = try makeDesk()
        status.current = 503
        let outbox = try desk.start(managers)
        try await outbox.send(MessageManager.self)
        try await outbox.drain()
        let next = try await desk.restart(after: outbox, managers)
        var likes = try await load(next)
        XCTAssertEqual(likes, 8, "the response and the change")
        status.current = 200
        desk.clock.advance(by: 3600)
        next.wake()
        await next.wait { next.entries.isEmpty }
        likes = try await load(next)
        XCTAssertEqual(likes, 7, "the server's")
    }

    func testAChangeIsThatOfItsUserOnly() async throws {
        let desk = try makeDesk()
        let outbox = try desk.start(managers)
        status.current = 503
        let entry = try await outbox.send(MessageManager.self)
        try await outbox.drain()
        var likes = try await load(outbox)
        XCTAssertEqual(likes, 8)
        try await desk.session.logOut()
        desk.logIn("bob")
        while outbox.shown[entry.id] != nil { await Task.yield() }
        likes = try await load(outbox)
        XCTAssertEqual(likes, 7)
        // Bob's entry has its own.
        try await outbox.send(MessageManager.self, with: ["count": 100])
        likes = try await self.likes(outbox)
        XCTAssertEqual(likes, 107)
        try await desk.session.logOut()
        desk.logIn("ann")
        while outbox.shown[entry.id] == nil { await Task.yield() }
        likes = try await load(outbox)
        XCTAssertEqual(likes, 8)
    }

    // MARK: Progress

    func testProgressCountsSinceNothingWasLeft() async throws {
        let desk = try makeDesk()
        desk.network.set(false)
        let outbox = try desk.start(managers)
        XCTAssertEqual(outbox.progress.fraction, 1)
        for _ in 0..<4 { try await outbox.send(MessageManager.self) }
        XCTAssertEqual(outbox.progress, OutboxProgress(sent: 0, left: 4))
        try await outbox.drain()
        let events = outbox.events
        desk.network.set(true)
        var seen: [OutboxProgress] = []
        for await event in events {
            if case .sent = event { seen.append(outbox.progress) }
            if seen.count == 4 { break }
        }
        XCTAssertEqual(seen.last, OutboxProgress(sent: 4, left: 0))
        status.current = 422
        try await outbox.send(MessageManager.self)
        try await outbox.drain()
        XCTAssertEqual(outbox.progress, OutboxProgress(sent: 0, left: 0), "dead")
    }

    /// Its response was lost, and a screen loads what it changes before the outbox of the next start has read its folder.
    func testAChangeOfAnEarlierStartCountsOnce() async throws {
        let isLiked = Locked(false)
        let desk = try Desk(
            self,
            ScriptedTransport { request, _ in
                if request.method != .get, !isLiked.current {
                    isLiked.current = true
                    return .init(error: TransportError(.connectionLost, message: "It closed."))
                }
                return .init(json: #"{"number":1,"likes":\#(isLiked.current ? 8 : 7)}"#)
            })
        let first = try desk.start(managers)
        try await first.send(MessageManager.self)
        await first.wait { first.entries.first?.attempts == 1 }
        first.lock?.release()
        first.lock = nil

        let (proxy, post) = (desk.proxy(), PostManager())
        post.proxy = proxy
        _ = try await post.load()
        let second = try desk.start(managers, over: proxy)
        try await second.drain()
        desk.clock.advance(by: 60)
        second.wake()
        await second.wait { second.entries.isEmpty && second.shown.isEmpty }
        let likes = try await load(second)
        XCTAssertEqual(likes, 8)
    }
}
