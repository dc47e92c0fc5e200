import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Managers loaded one after the other.
@MainActor
final class APIChainTests: XCTestCase {
    func testAStepMakesItsParamsFromWhatCameBefore() async throws {
        let transport = Backend().transport
        let stack = Stack(transport)
        let number = stack.number()
        let chain = APIChain(stack.user())
            .then { user in number.with(["n": user.uid + 1]) }
            .then { n in APIGroup(number.with(["n": n * 2]), stack.user()) }
        let screen = GroupScreen()
        chain.delegate = screen
        let (last, user) = try await chain.load()
        XCTAssertEqual(last, 16)
        XCTAssertEqual(user.uid, 7)
        XCTAssertEqual(screen.events, ["1/3", "2/3", "3/3", "success false"])
        XCTAssertEqual(transport.names.prefix(2), ["user", "number"])
    }

    func testEarlierOutputsCanBeKept() async throws {
        let stack = Stack(Backend().transport)
        let number = stack.number()
        let (user, one, two, sum) = try await APIChain(stack.user())
            .and { user in number.with(["n": user.uid]) }
            .and { user, one in number.with(["n": user.uid * one]) }
            .and { user, one, two in number.with(["n": user.uid + one + two]) }
            .load()
        XCTAssertEqual([user.uid, one, two, sum], [7, 7, 49, 63])
    }

    func testAStepMayBeSkippedAndTheChainStopped() async throws {
        let transport = Backend().transport
        let stack = Stack(transport)
        let number = stack.number()
        for isNew in [true, false] {
            let skipping = APIChain(stack.user())
                .then { _ in isNew ? number.with(["n": 3]) : nil }
                .then { n in number.with(["n": (n ?? 10) + 1]) }
            let skipped = try await skipping.load()
            XCTAssertEqual(skipped, isNew ? 4 : 11)
            XCTAssertEqual(skipping.progress, APIGroupProgress(finished: 3, total: 3))

            let before = transport.requests.count
            let stopping = APIChain(stack.user())
                .then { _ in isNew ? number.with(["n": 3]) : nil }
                .thenIfPresent { n in number.with(["n": n + 1]) }
                .thenIfPresent { n in number.with(["n": n + 1]) }
            let screen = GroupScreen()
            stopping.delegate = screen
            let stopped = try await stopping.load()
            XCTAssertEqual(stopped, isNew ? 5 : nil)
            XCTAssertEqual(transport.requests.count - before, isNew ? 4 : 1)
            XCTAssertEqual(screen.events.last, "success false")
        }
    }

    func testAFailureEndsTheChainAndSaysWhichStep() async throws {
        let backend = Backend(broken: ["broken"])
        let transport = backend.transport
        let stack = Stack(transport)
        let reached = Locked(false)
        let broken = stack.number("broken")
        let chain = APIChain(stack.user()).then { _ in APIChain(broken) }.then { _ in
            reached.current = true
            return stack.number()
        }
        let screen = GroupScreen()
        chain.delegate = screen
        let error = await failure(chain)
        XCTAssertEqual(error?.kind, .http(status: 500))
        XCTAssertEqual(error?.methodName, "broken")
        XCTAssertEqual(error?.requestID, broken.error?.requestID)
        XCTAssertEqual(chain.failedIndex, 1)
        XCTAssertFalse(reached.current)
        XCTAssertEqual(screen.events, ["1/3", "2/3", "failure 1"])
        backend.broken.current = []
        _ = try await chain.load()
        XCTAssertNil(chain.error)
        XCTAssertNil(chain.failedIndex)
    }

    func testCancellingAndReleasingInTheMiddle() async throws {
        for releases in [false, true] {
            let backend = Backend(holding: ["held"])
            let transport = backend.transport
            let stack = Stack(transport)
            let held = stack.number("held")
            let last = stack.number("last")
            var chain: APIChain<Int>? = APIChain(stack.user()).then { _ in held }.then { _ in last }
            weak let released = chain
            let outcomes = Locked<[APIError.Kind?]>([])
            chain?.loadData { result in outcomes.withLock { $0.append(result.kind) } }
            await backend.gate.arrival()
            if releases {
                chain = nil
                XCTAssertNil(released)
            } else {
                chain?.cancel()
            }
            await until { !outcomes.current.isEmpty }
            backend.gate.open()
            for _ in 0..<20 { await Task.yield() }
            XCTAssertEqual(outcomes.current, [.cancelled])
            XCTAssertEqual(held.error?.kind, .cancelled)
            XCTAssertEqual(transport.names, ["user", "held"])
            XCTAssertEqual(stack.proxy.requestIDs, [])
        }
    }

    func testAChainInAGroup() async throws {
        let backend = Backend(holding: ["held"], broken: ["broken"])
        let transport = backend.transport
        let stack = Stack(transport)
        let held = stack.number("held")
        let broken = stack.number("broken")
        let group = APIGroup(
            APIChain(stack.user()).then { _ in held }, APIChain(stack.user()).then { _ in broken })
        let error = await failure(group)
        XCTAssertEqual(error?.methodName, "broken")
        XCTAssertEqual(group.failedIndex, 1)
        XCTAssertFalse(held.isLoading)
        backend.gate.open()
    }

    func testAPagedManagerInAChainLoadsItsFirstPage() async throws {
        let stack = Stack(TileServer(7).transport)
        let tiles = stack.manager(TileManager(.number(size: 3)))
        let first = try await APIChain(tiles).load()
        XCTAssertEqual(first.items.count, 3)
        XCTAssertEqual(tiles.items.count, 3)
    }
}
