import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Calls that are made again and again.
@MainActor
final class PollTests: XCTestCase {
    private struct Job: Decodable, Sendable, Equatable {
        let step: Int
        let isDone: Bool
    }

    private final class JobManager: TypedAPIManager<Job>, APIManagerChild {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "jobs/{id}"
        let requestType = HTTPMethod.get
    }

    /// A job on a server, whose responses are listed: the status, and the seconds of `Retry-After`.
    @MainActor
    private struct Desk {
        let server: LoopbackServer
        let stack: Stack
        let count = Locked(0)

        init(
            _ answers: [(status: Int, retryAfter: String?)] = [], done: Int = 3,
            _ change: (inout TestService.Rules) -> Void = { _ in }
        ) throws {
            let count = count
            server = try LoopbackServer { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let (status, retryAfter) = number <= answers.count ? answers[number - 1] : (200, nil)
                let response = LoopbackResponse.json(
                    #"{"step":\#(number),"isDone":\#(number >= done)}"#, status: status)
                return retryAfter.map { response.adding("Retry-After", $0) } ?? response
            }
            let url = server.baseURL
            stack = Stack(PlatformTransport.make()) {
                $0.baseURL = url
                change(&$0)
            }
        }

        var clock: TestClock { stack.clock }
        var manager: JobManager { stack.manager(JobManager()) }

        func wait(_ seconds: TimeInterval) async {
            await clock.waitForSleepers()
            clock.advance(by: seconds)
        }
    }

    private func kind(_ reading: Reading<Job>) -> APIError.Kind? { (reading.error as? APIError)?.kind }

    func testAPollEndsWithTheOutputThatIsDone() async throws {
        let desk = try Desk()
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        await desk.wait(2)
        await until { reading.seen.count == 2 }
        await desk.wait(2)
        await until { reading.hasEnded }
        XCTAssertNil(reading.error)
        XCTAssertEqual(reading.seen.map(\.step), [1, 2, 3])
        XCTAssertEqual(desk.clock.pauses, [2, 2])
        XCTAssertEqual(desk.count.current, 3)
        XCTAssertEqual(desk.clock.sleepers, 0)
    }

    func testTheIntervalGrowsUpToTheLongest() async throws {
        let desk = try Desk(done: 6)
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(
            manager.poll(with: ["id": 1], every: 2, backOff: 2, upTo: 10, until: { $0.isDone }))
        for seconds in [2.0, 4, 8, 10, 10] { await desk.wait(seconds) }
        await until { reading.hasEnded }
        XCTAssertEqual(desk.clock.pauses, [2, 4, 8, 10, 10])
    }

    func testTheServerMayAskForMoreTime() async throws {
        let desk = try Desk([(202, "30"), (503, "90"), (200, "1")], done: 4)
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        for seconds in [30.0, 90, 2] { await desk.wait(seconds) }
        await until { reading.hasEnded }
        XCTAssertEqual(desk.clock.pauses, [30, 90, 2])
        XCTAssertEqual(reading.seen.map(\.step), [1, 3, 4])
    }

    func testTheDeadlineIsAnError() async throws {
        let desk = try Desk(done: 100)
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 4, within: 10, until: { $0.isDone }))
        for seconds in [4.0, 4, 2] { await desk.wait(seconds) }
        await until { reading.hasEnded }
        XCTAssertEqual(kind(reading), .timedOut)
        XCTAssertEqual(reading.seen.map(\.step), [1, 2, 3])
        XCTAssertEqual(desk.clock.pauses, [4, 4, 2])
        XCTAssertEqual(desk.count.current, 3)
    }

    func testTheDeadlineBeginsWithTheFirstCall() async throws {
        let desk = try Desk(done: 3)
        defer { desk.server.stop() }
        let manager = desk.manager
        let poll = manager.poll(with: ["id": 1], every: 4, within: 10, until: { $0.isDone })
        desk.clock.advance(by: 60)
        let reading = Reading(poll)
        for seconds in [4.0, 4] { await desk.wait(seconds) }
        await until { reading.hasEnded }
        XCTAssertNil(reading.error)
        XCTAssertEqual(reading.seen.map(\.step), [1, 2, 3])
        XCTAssertEqual(desk.clock.pauses, [4, 4])
    }

    /// The app may be in the background when the poll is first read.
    func testTheDeadlineDoesNotBeginInTheBackground() async throws {
        let desk = try Desk(done: 2)
        defer { desk.server.stop() }
        let visibility = AppVisibility()
        visibility.enterBackground(true)
        let manager = desk.manager
        let rhythm = PollRhythm(interval: 4, backOff: 1, longest: 60, limit: 10)
        let reading = Reading(
            manager.poll(with: ["id": 1], rhythm, until: { $0.isDone }, visibility: visibility))
        await until { visibility.waiting == 1 }
        desk.clock.advance(by: 60)
        visibility.enterBackground(false)
        await desk.wait(4)
        await until { reading.hasEnded }
        XCTAssertNil(reading.error)
        XCTAssertEqual(reading.seen.map(\.step), [1, 2])
    }

    func testFailuresThatMayPassAreTolerated() async throws {
        let desk = try Desk([(200, nil), (503, nil), (429, nil), (200, nil)], done: 5)
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        for seconds in [2.0, 4, 8, 2] { await desk.wait(seconds) }
        await until { reading.hasEnded }
        XCTAssertNil(reading.error)
        XCTAssertEqual(reading.seen.map(\.step), [1, 4, 5])
        XCTAssertEqual(desk.clock.pauses, [2, 4, 8, 2])
    }

    func testTheFifthFailureInARowEndsThePoll() async throws {
        let desk = try Desk(Array(repeating: (503, nil), count: 9))
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 1, until: { $0.isDone }))
        for seconds in [2.0, 4, 8, 16] { await desk.wait(seconds) }
        await until { reading.hasEnded }
        XCTAssertEqual(kind(reading), .http(status: 503))
        XCTAssertEqual(desk.count.current, 5)
    }

    func testAnyOtherFailureEndsThePoll() async throws {
        let desk = try Desk([(200, nil), (404, nil)])
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        await desk.wait(2)
        await until { reading.hasEnded }
        XCTAssertEqual(kind(reading), .http(status: 404))
        XCTAssertEqual(reading.seen.count, 1)
    }

    func testAPollIsForTheUserWhoBeganIt() async throws {
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "alice"))
        let desk = try Desk { $0.session = session }
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        await until { reading.seen.count == 1 }
        session.adopt(SessionTokens(accessToken: "bob"))
        await desk.wait(2)
        await until { reading.hasEnded }
        XCTAssertEqual(kind(reading), .loginRequired)
        XCTAssertEqual(desk.count.current, 1)
    }

    // MARK: Ends and pauses

    func testACancellationEndsThePollAtOnce() async throws {
        let desk = try Desk()
        defer { desk.server.stop() }
        let manager = desk.manager
        let reading = Reading(manager.poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        await desk.clock.waitForSleepers()
        reading.cancel()
        await until { reading.hasEnded }
        XCTAssertNil(reading.error)
        XCTAssertEqual(desk.clock.sleepers, 0)
        XCTAssertEqual(desk.count.current, 1)
    }

    func testACancellationEndsTheCallInFlight() async throws {
        let gate = Gate()
        let stack = Stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: "{}")
            })
        let manager = stack.manager(JobManager())
        let reading = Reading(manager.poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        await gate.arrival()
        reading.cancel()
        await until { reading.hasEnded }
        XCTAssertEqual(stack.proxy.requestIDs, [])
        gate.open()
    }

    func testAReleasedManagerEndsItsPoll() async throws {
        let desk = try Desk()
        defer { desk.server.stop() }
        var manager: JobManager? = desk.manager
        let reading = try Reading(
            XCTUnwrap(manager).poll(with: ["id": 1], every: 2, until: { $0.isDone }))
        await desk.clock.waitForSleepers()
        weak let released = manager
        manager = nil
        XCTAssertNil(released, "a poll retained its manager")
        desk.clock.advance(by: 2)
        await until { reading.hasEnded }
        XCTAssertEqual(desk.count.current, 1)
    }

    func testNoCallIsMadeInTheBackground() async throws {
        let desk = try Desk()
        defer { desk.server.stop() }
        let visibility = AppVisibility()
        let manager = desk.manager
        let rhythm = PollRhythm(interval: 2, backOff: 1, longest: 60, limit: .infinity)
        let reading = Reading(
            manager.poll(with: ["id": 1], rhythm, until: { $0.isDone }, visibility: visibility))
        await until { reading.seen.count == 1 }
        visibility.enterBackground(true)
        await desk.wait(2)
        await until { visibility.waiting == 1 }
        XCTAssertEqual(desk.count.current, 1)
        visibility.enterBackground(false)
        await until { reading.seen.count == 2 }
        visibility.enterBackground(true)
        await desk.wait(2)
        await until { visibility.waiting == 1 }
        reading.cancel()
        await until { reading.hasEnded }
        XCTAssertEqual(desk.count.current, 2)
    }
}
