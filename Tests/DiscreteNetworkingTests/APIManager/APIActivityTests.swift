import Foundation
import Observation
import XCTest

@testable import DiscreteNetworkingCore

/// What a screen with several managers shows of them.
@MainActor
final class APIActivityTests: XCTestCase {
    /// Fails while a path is in `broken`.
    private let broken = Locked<Set<String>>([])
    private let gate = Gate()
    private var isHeld = Locked(false)

    private func managers() -> (Stack, ProductManager, ProductManager, APIActivity) {
        let stack = Stack(
            ClosureTransport { [broken, gate, isHeld] request in
                if isHeld.current { await gate.pass() }
                if broken.current.contains(request.url.lastPathComponent) { throw TransportError.lost }
                return TransportResponse(request, json: teapot)
            })
        let (one, two) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        (one.methodName, two.methodName) = ("one", "two")
        return (stack, one, two, APIActivity(one, two))
    }

    func testActivityLoadsWhileAManagerDoes() async {
        let (_, _, two, activity) = managers()
        XCTAssertFalse(activity.isLoading)
        isHeld.current = true
        two.loadData()
        XCTAssertTrue(activity.isLoading)
        gate.open()
        await until { !activity.isLoading }
        XCTAssertNil(activity.failure)
    }

    func testTheLastFailureIsTriedAgainWithItsParams() async throws {
        let (_, one, two, activity) = managers()
        XCTAssertNil(activity.retry())
        broken.current = ["one", "two"]
        _ = await failure(two, with: ["id": 2])
        _ = await failure(one, with: ["id": 1])
        XCTAssertTrue(activity.failedManager === one)
        XCTAssertEqual(activity.failure?.methodName, "one")
        broken.current = ["two"]
        let again = try XCTUnwrap(activity.retry())
        await until { !activity.isLoading }
        XCTAssertEqual(one.response?.requestID, again)
        XCTAssertEqual(one.response?.params, ["id": 1])
        XCTAssertTrue(activity.failedManager === two, "the one before it is still to be tried")
        broken.current = []
        activity.retry()
        await until { !activity.isLoading }
        XCTAssertNil(activity.failure)
        XCTAssertEqual(two.response?.params, ["id": 2])
    }

    func testACancelledCallIsNoFailure() async throws {
        let (_, one, _, activity) = managers()
        isHeld.current = true
        one.loadData()
        activity.cancelAllRequests()
        XCTAssertFalse(activity.isLoading)
        await until { one.error?.kind == .cancelled }
        XCTAssertNil(activity.failure)
        gate.open()
    }

    func testParamsAreReformedOnce() async throws {
        final class Counting: APIManager<Product> {
            let serviceIdentifier = ServiceIdentifier.test
            let methodName = "one"
            let requestType = HTTPMethod.get
            override func reform(_ params: Params) -> Params {
                params.merging(["n": (params["n"]?.int ?? 0) + 1])
            }
        }
        broken.current = ["one"]
        let manager = managers().0.manager(Counting())
        _ = await failure(manager, with: [:])
        broken.current = []
        let requestID = try XCTUnwrap(manager.repeatFailedCall())
        await until { manager.response?.requestID == requestID }
        XCTAssertEqual(manager.response?.params, ["n": 1])
    }

    /// Of a paged manager the page that failed is tried again, and goes where it belongs.
    func testAPageIsTriedAgain() async throws {
        let server = TileServer(7)
        let manager = Stack(server.transport).manager(TileManager(.number(size: 3)))
        let activity = APIActivity(manager)
        _ = try await manager.load(with: ["q": "a"])
        server.before.current = { _ in throw TransportError.lost }
        _ = try? await manager.nextPage()
        XCTAssertEqual(activity.failure?.kind, .transport(.lost))
        server.before.current = { _ in }
        activity.retry()
        await until { !activity.isLoading }
        XCTAssertEqual(manager.items.map(\.id), Array(0..<6))
        XCTAssertNil(activity.failure)
    }

    func testActivityIsObservable() async throws {
        guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) else {
            throw XCTSkip("There is no Observation here.")
        }
        let (_, _, two, activity) = managers()
        let changes = Locked(0)
        withObservationTracking {
            _ = (activity.isLoading, activity.failure)
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        broken.current = ["two"]
        _ = await failure(two)
        XCTAssertEqual(changes.current, 1, "told of the last of the managers")
    }
}
