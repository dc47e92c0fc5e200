import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Logins, clocks and restarts.
@MainActor
final class OutboxTurnTests: XCTestCase {
    private func turns(_ count: Int = 1000) async { for _ in 0..<count { await Task.yield() } }

    private func until(_ isSo: @MainActor () -> Bool, line: UInt = #line) async {
        let end = SystemClock().uptime + 30
        while !isSo(), SystemClock().uptime < end { await Task.yield() }
        XCTAssertTrue(isSo(), "after 30 s", line: line)
    }

    private func letHoursPass(_ count: Int, _ desk: Desk, _ outbox: Outbox) async throws {
        for _ in 1...count {
            desk.clock.advance(by: 3601)
            outbox.wake()
            try await outbox.drain()
        }
    }

    /// At the start of the app, or before the disk could be read.
    func testDiscardingAllOfAUserReadsTheFolderFirst() async throws {
        let desk = try Desk(self, ScriptedTransport())
        desk.network.set(false)
        let first = try desk.start()
        try await first.send(MessageManager.self, with: ["text": "a"])
        try await first.drain()
        first.lock?.release()
        first.lock = nil
        let second = try desk.start()
        try await second.discardAll(of: "ann")
        XCTAssertEqual(desk.files, [])
    }

    /// The user logs out and in again while an entry is in flight. The login is over when its call ends.
    func testALoginWhileAnEntryIsInFlightIsNotMissed() async throws {
        let meeting = Meeting(of: 2)
        let transport = ScriptedTransport { _, number in
            guard number == 1 else { return .init() }
            await meeting.arrive()
            return .init(status: 401)
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self)
        await until { transport.requests.count == 1 }
        try await desk.session.logOut()
        desk.logIn("ann")
        await turns()
        await meeting.arrive()
        try await outbox.drain()
        try await letHoursPass(3, desk, outbox)
        XCTAssertEqual(outbox.states, [], "its user is logged in")
    }

    /// A canceled call may have reached the server, whose first request is then still in progress.
    func testAConflictAfterACancellationIsWaitedFor() async throws {
        let meeting = Meeting(of: 2)
        let transport = ScriptedTransport { _, number in
            if number == 1 { await meeting.arrive() }
            return .init(status: number == 2 ? 409 : 200)
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self, with: ["id": 7])
        await until { transport.requests.count == 1 }
        outbox.proxy.cancelAllRequests()
        await until { outbox.inFlight == 0 }
        await meeting.arrive()
        try await letHoursPass(3, desk, outbox)
        XCTAssertEqual(outbox.states, [])
        XCTAssertEqual(transport.requests.count, 3)
    }

    /// "The upper bound of the delay after the first failure, which doubles with each further one."
    func testTheDelayGrowsWithoutANetwork() async throws {
        let transport = ScriptedTransport { _, _ in
            .init(error: TransportError(.cannotFindHost, message: "There is no DNS."))
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self, with: ["id": 7])
        try await outbox.drain()
        var delays: [TimeInterval] = []
        for _ in 1...8 {
            guard case .waiting(.retry(let date))? = outbox.states.first else { return XCTFail() }
            let delay = date.timeIntervalSince(desk.clock.now)
            delays.append(delay)
            desk.clock.advance(by: delay + 0.01)
            outbox.wake()
            try await outbox.drain()
        }
        XCTAssertGreaterThan(delays.last ?? 0, 16, "\(delays)")
    }

    /// "Status … 5xx: waits, twice as long each time": what a proxy says of a backend that is down.
    func testAStatusOfAProxyIsWaitedFor() async throws {
        for status in [520, 521, 522, 524, 530] {
            let transport = ScriptedTransport { _, number in .init(status: number == 1 ? status : 200) }
            let desk = try Desk(self, transport)
            let outbox = try desk.start()
            try await outbox.send(LikeManager.self, with: ["id": 7])
            try await outbox.drain()
            desk.clock.advance(by: 3601)
            outbox.wake()
            try await outbox.drain()
            XCTAssertEqual(outbox.failures, [], "\(status)")
        }
    }

    /// The session of another backend refreshes its tokens every hour.
    func testTheLoginOfAnotherBackendAsksNobodyToLogIn() async throws {
        let transport = ScriptedTransport { request, _ in
            .init(status: request.headers["Authorization"] == "Bearer token-ann" ? 401 : 200)
        }
        let desk = try Desk(self, transport)
        let login = DecliningLogin()
        desk.session.login = login
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self)
        await until { outbox.states == [.waiting(.user)] }
        let other = TokenSession()
        other.adopt(SessionTokens(accessToken: "of another backend", user: "ann"))
        // A login to its own backend, of which the outbox hears after that one.
        desk.session.adopt(SessionTokens(accessToken: "new", user: "ann"))
        await until { outbox.states.isEmpty }
        XCTAssertEqual(login.count, 1)
        XCTAssertEqual(transport.requests.last?.headers["Authorization"], "Bearer new")
    }

    // MARK: Clocks

    func testAnEntryIsSentAfterAClockThatWasAheadIsSetRight() async throws {
        let transport = ScriptedTransport { _, number in .init(status: number == 1 ? 503 : 200) }
        let desk = try Desk(self, transport)
        let years: TimeInterval = 10 * 365 * 86_400
        desk.clock.now += years
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self, with: ["id": 7])
        try await outbox.drain()
        desk.clock.now -= years
        try await letHoursPass(48, desk, outbox)
        XCTAssertEqual(outbox.states, [], "two days later")
    }

    /// A device without a battery starts in 2001, until it has heard of the time.
    func testAnEntryThatWasMadeByAWrongClockIsTried() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let now = desk.clock.now
        desk.clock.now = Date(timeIntervalSinceReferenceDate: 0)
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self, with: ["id": 7])
        try await outbox.drain()
        desk.clock.now = now
        desk.network.set(true)
        await until { outbox.entries.isEmpty || !outbox.failures.isEmpty }
        XCTAssertEqual(transport.requests.count, 1)
        XCTAssertEqual(outbox.failures, [])
    }

    /// "adopting: Changes the params of a later entry of the lane by the output of this one."
    func testADeadEntryAdoptsWhatAnEarlierOneOfItsLaneBrings() async throws {
        let transport = ScriptedTransport { request, number in
            // The first two are rejected, as long as the draft has no number.
            .init(status: number <= 2 ? 422 : 200, json: #"{"number":41}"#)
        }
        let desk = try Desk(self, transport)
        let adopting: @Sendable (Receipt, inout Params) -> Void = { receipt, later in
            if later["reply"] == "draft" { later["reply"] = .number(JSONNumber(receipt.number)) }
        }
        let managers = [
            OutboxManager("message", MessageManager.self, adopting: adopting) { _ in MessageManager() }
        ]
        let outbox = try desk.start(managers)
        let first = try await outbox.send(MessageManager.self, with: ["text": "a"])
        let second = try await outbox.send(MessageManager.self, with: ["text": "b", "reply": "draft"])
        try await outbox.drain()
        XCTAssertEqual(outbox.failures, [.rejected, .rejected])
        try await outbox.retry(first.id)
        try await outbox.drain()
        try await outbox.retry(second.id)
        try await outbox.drain()
        XCTAssertEqual(transport.requests.map { $0.text("reply") }, ["", "draft", "", "41"])
    }

    /// The first entry of a start is numbered before the earlier ones are known.
    func testTheOrderOfALaneHoldsAfterTheClockIsSetBack() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let first = try desk.start()
        try await first.send(MessageManager.self, with: ["room": 1, "text": "a"])
        try await first.drain()
        first.lock?.release()
        first.lock = nil
        desk.clock.now -= 3600
        let second = try desk.start()
        try await second.send(MessageManager.self, with: ["room": 1, "text": "b"])
        desk.network.set(true)
        await second.wait { second.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["a", "b"])
    }

    /// The call fails without a network, which comes before the entry waits for one.
    func testANetworkThatComesWhileACallIsInFlightIsNotMissed() async throws {
        let sending = Locked<Outbox?>(nil)
        let network = Locked<SwitchedNetwork?>(nil)
        let transport = ScriptedTransport { _, number in
            guard number == 1, let outbox = sending.current else { return .init() }
            let before = await outbox.networks
            network.current?.set(false)
            network.current?.set(true)
            while await outbox.networks == before { await Task.yield() }
            return .init(error: TransportError(.notConnectedToInternet, message: "off"))
        }
        let desk = try Desk(self, transport)
        network.current = desk.network
        let outbox = try desk.start()
        sending.current = outbox
        try await outbox.send(MessageManager.self, with: ["text": "a"])
        try await outbox.drain()
        XCTAssertEqual(transport.texts, ["a", "a"])
        XCTAssertTrue(outbox.entries.isEmpty)
    }

    // MARK: Files

    /// A copy that a user or a backup has made, under another name.
    func testACopyOfAFileDoesNotHideItsEntry() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let first = try desk.start()
        try await first.send(MessageManager.self, with: ["room": 1, "text": "a"])
        try await first.drain()
        first.lock?.release()
        first.lock = nil
        let name = desk.files[0]
        try FileManager.default.copyItem(
            at: desk.folder.appendingPathComponent(name),
            to: desk.folder.appendingPathComponent("Copy of \(name)"))
        desk.network.set(true)
        let second = try desk.start()
        try await second.drain()
        XCTAssertEqual(transport.texts, ["a"])
    }
}
