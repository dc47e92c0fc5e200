import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// When each way to make a call takes its user: whoever logs in after that moment has no part in it, however long the way waits.
///
/// `Outbox.send` and `BackgroundTransfers.start` are in `EntryUserTests`; loops over lists, later pages, connections of an event
/// source and steps of a chain in `WorkUserTests`.
@MainActor
final class UserMomentTests: XCTestCase {
    private enum Moment {
        /// The call of the method. The user changes while the service's `adapt(_:for:)` waits.
        case call
        /// The creation of the sequence. The user changes before it is asked for its first element.
        case creation
    }

    private typealias Work = @MainActor @Sendable () async throws -> Void

    private struct Way {
        let name: String
        var moment = Moment.call
        /// How it ends for a user who has left.
        var end: APIError.Kind? = .loginRequired
        let begin: @MainActor (Stack) -> Work
    }

    private static func notes(_ stack: Stack) -> TestManager<JSONValue> {
        let manager = stack.manager(TestManager<JSONValue>())
        manager.ownCache = .memory
        return manager
    }

    private static let ways = [
        Way(name: "load") { stack in { _ = try await notes(stack).load(with: ["id": 1]) } },
        Way(name: "load(at:)") { stack in
            { _ = try await notes(stack).load(at: URL(string: "https://api.example.com/n")!) }
        },
        Way(name: "load(optimistically:)") { stack in
            {
                let like = stack.manager(TestManager<NoContent>())
                like.requestType = .post
                _ = try await like.load(with: ["id": 1]) { $0.update(notes(stack), with: ["id": 1]) { _ in } }
            }
        },
        Way(name: "loadData") { stack in
            let manager = notes(stack)
            return {
                try await withCheckedThrowingContinuation { done in
                    manager.loadData(with: ["id": 1]) { done.resume(with: $0.map { _ in }) }
                }
            }
        },
        Way(name: "loadOnce") { stack in
            {
                try await withCheckedThrowingContinuation { done in
                    notes(stack).loadOnce(with: ["id": 1]) { done.resume(with: $0.map { _ in }) }
                }
            }
        },
        Way(name: "firstPage") { stack in
            { _ = try await stack.manager(TileManager(.number(size: 3))).firstPage() }
        },
        Way(name: "APIGroup.load") { stack in
            { _ = try await APIGroup(notes(stack).with(["id": 1])).load() }
        },
        Way(name: "APIChain.load") { stack in
            { _ = try await APIChain(notes(stack).with(["id": 1])).load() }
        },
        Way(name: "request(with:)", end: nil) { stack in
            {
                let request = try await notes(stack).request(with: ["id": 1])
                XCTAssertNotEqual(request.headers["Authorization"], "Bearer bob")
            }
        },
        Way(name: "cache.output", end: nil) { stack in
            {
                let output = try await notes(stack).cache.output(with: ["id": 1])
                XCTAssertNil(output)
            }
        },
        Way(name: "store", end: nil) { stack in
            { try await notes(stack).cache.store(["of": "alice"], for: ["id": 1]) }
        },
        Way(name: "poll", moment: .creation) { stack in
            let manager = notes(stack)
            let outputs = manager.poll(with: ["id": 1], every: 1) { _ in true }
            return { for try await _ in outputs { withExtendedLifetime(manager) {} } }
        },
    ]

    func testACallIsForTheUserOfItsMoment() async throws {
        for way in Self.ways {
            let session = TokenSession()
            session.adopt(SessionTokens(accessToken: "alice", user: "alice"))
            let (gate, isHeld) = (Gate(), Locked(false))
            let transport = ClosureTransport(json: teapot)
            let stack = Stack(transport) {
                $0.session = session
                $0.adapt = { _, _ in if isHeld.current { await gate.pass() } }
            }
            try await Self.notes(stack).cache.store(["of": "alice"], for: ["id": 1])
            if way.name != "cache.output" { await Self.notes(stack).cache.remove() }

            isHeld.current = true
            let work = way.begin(stack)
            let task = Task { () async -> (any Error)? in
                if way.moment == .creation { await gate.pass() }
                do { try await work() } catch { return error }
                return nil
            }
            await gate.arrival()
            try await session.logOut()
            session.adopt(SessionTokens(accessToken: "bob", user: "bob"))
            isHeld.current = false
            gate.open()
            let error = await task.value
            XCTAssertEqual((error as? APIError)?.kind, way.end, way.name)
            XCTAssertEqual(error == nil, way.end == nil, way.name)
            let tokens = transport.requests.map { $0.headers["Authorization"] }
            XCTAssertFalse(tokens.contains("Bearer bob"), way.name)
            let stored = try await Self.notes(stack).cache.output(with: ["id": 1])
            XCTAssertNil(stored, way.name)
        }
    }
}
