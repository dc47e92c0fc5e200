import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingInspector
@testable import DiscreteNetworkingOutbox

/// The calls of an outbox on the page, over real sockets.
@MainActor
final class InspectorQueueTests: XCTestCase {
    private let stubs = StubTransport()

    private func proxy() -> ApiProxy {
        let services = ServiceFactory()
        services.register([.tea: { TeaService() }])
        return ApiProxy(transport: stubs, services: services, clock: TestClock())
    }

    /// Reads the queue until something is so: the outbox is asked when somebody looks.
    private func calls(
        _ inspector: Inspector, until isSo: ([JSONValue]) -> Bool
    ) async throws -> [JSONValue] {
        while true {
            let answer = try await Answer(of: inspector.url.appendingPathComponent("queue"))
            XCTAssertEqual(answer.status, 200)
            let calls = try JSONValue(parsing: answer.body)["calls"]?.array ?? []
            if isSo(calls) { return calls }
        }
    }

    func testThePageShowsDeadCallsWithWhy() async throws {
        stubs.on(answer: .status(422))
        let proxy = proxy()
        let outbox = try Outbox.inMemory(
            proxy: proxy, managers: [OutboxManager("steep", SteepManager.self) { _ in SteepManager() }])
        let inspector = try Inspector(observing: proxy, print: { _ in })
        defer { inspector.stop() }
        let none = try await calls(inspector) { _ in true }
        XCTAssertEqual(none, [])
        let entry = try await outbox.send(SteepManager.self, with: ["tea": "oolong"])
        let found = try await calls(inspector) { $0.first?["state"] == "dead" }
        XCTAssertEqual(found.count, 1)
        XCTAssertEqual(found[0]["id"]?.string, entry.id.uuidString.lowercased())
        XCTAssertEqual(found[0]["manager"], "steep")
        XCTAssertEqual(found[0]["queue"], "outbox")
        let reason = found[0]["reason"]?.string ?? ""
        XCTAssertTrue(reason.hasPrefix("rejected: ") && reason.contains("422"), reason)
        try await outbox.discard(entry.id)
        _ = try await calls(inspector) { $0.isEmpty }
    }

    func testAQueueThatIsGoneIsNotKept() throws {
        let proxy = proxy()
        var queue: NoQueue? = NoQueue()
        weak let released = queue
        if let queue { proxy.queues.add(queue) }
        queue = nil
        XCTAssertNil(released)
    }

    func testOnlyTheInspectorsOwnPageReadsTheQueue() async throws {
        let inspector = try Inspector(observing: proxy(), print: { _ in })
        defer { inspector.stop() }
        let url = inspector.url.appendingPathComponent("queue")
        let foreign = try await Answer(of: url, ["Origin": "https://evil.example"])
        XCTAssertEqual(foreign.status, 403)
        let posted = try await Answer(of: url, [:], .post, Data())
        XCTAssertEqual(posted.status, 405)
    }
}

extension ServiceIdentifier {
    fileprivate static let tea: Self = "tea"
}

private final class NoQueue: DeferredQueue {
    func queuedCalls(limit: Int) -> [QueuedCall] { [] }
}

private final class TeaService: Service {
    let baseURL = URL(string: "https://tea.test")!
    init() {}
}

private final class SteepManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.tea
    let methodName = "steep"
    let requestType = HTTPMethod.post
}
