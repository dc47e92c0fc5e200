import DiscreteNetworking
import DiscreteNetworkingTesting
import EverythingAPI
import Foundation
import XCTest

/// Forms, failures and streams of generated managers, and models in storage.
@MainActor
final class ResponseValueTests: XCTestCase {
    private let stubs = StubTransport()

    private func prepared<Manager: BaseAPIManager>(_ manager: Manager) -> Manager {
        manager.proxy = ApiProxy(stubbing: stubs, [.everything: EverythingService.self])
        return manager
    }

    /// The names that Stripe's library for Python, version 16.1.0, sends.
    func testObjectsInAFormHaveIndexes() async throws {
        stubs.on(answer: .status(204))
        let items: [PostOrderManager.Arguments.Item] = [.init(price: "p1"), .init(price: "p2", tags: ["a"])]
        try await prepared(PostOrderManager()).load(with: .init(items: items))
        guard case .data(let body)? = stubs.requests.first?.body else { return XCTFail("no body") }
        XCTAssertEqual(
            String(decoding: body, as: UTF8.self).removingPercentEncoding,
            "items[0][price]=p1&items[1][price]=p2&items[1][tags][]=a")
    }

    private func failure(_ status: Int, _ json: String) async -> ChatManager.Failure? {
        stubs.on(answer: .text(json, type: "application/json", status: status))
        do throws(APIError) {
            _ = try await prepared(ChatManager()).load(with: .init(body: Filter(min: 1)))
            return nil
        } catch {
            return ChatManager.failure(in: error)
        }
    }

    func testTheStatusOfAFailureSaysWhatItsBodyIs() async {
        // A body that fits all three schemas.
        let json = #"{"type": "notice.alarm", "level": 3, "title": "No"}"#
        guard case .status404? = await failure(404, json) else { return XCTFail("404") }
        guard case .status4XX(let alarm)? = await failure(422, json) else { return XCTFail("422") }
        XCTAssertEqual(alarm.level, 3)
        guard case .other(let problem)? = await failure(501, json) else { return XCTFail("501") }
        XCTAssertEqual(problem.title, "No")
        let gone = await failure(410, json)
        XCTAssertNil(gone)
    }

    func testAnOperationWithEventsHasAManagerForThem() async throws {
        stubs.on(answer: .text("data: a\n\n", type: "text/event-stream"))
        let stream = try await prepared(ChatStreamManager()).load(with: .init(body: Filter(min: 1)))
        var texts: [String] = []
        for try await line in stream.lines where !line.isEmpty { texts.append(line) }
        XCTAssertEqual(texts, ["data: a"])
        XCTAssertEqual(stubs.requests.first?.headers["Accept"], "text/event-stream")
    }

    // MARK: Storage

    private func stored<Value: Codable & Equatable & Sendable>(
        _ type: Value.Type, _ json: String, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let value = try Params.makeDecoder().decode(type, from: Data(json.utf8))
        let data = try JSONEncoder().encode(value)
        XCTAssertEqual(try JSONDecoder().decode(type, from: data), value, file: file, line: line)
    }

    func testModelsAreStoredAndRead() throws {
        try stored(Node.self, #"{"value": "a", "next": {"value": "b", "children": []}}"#)
        try stored(
            Unions.self,
            #"{"event": {"type": "deleted", "at": "2024-02-29T12:30:00Z"}, "outcome": {"ok": false, "text": "No"}}"#
        )
        try stored(Color.self, #""new""#)
        let pet = try Params.makeDecoder().decode(
            Pet.self, from: Data(#"{"id": 7, "petType": "Dog", "name": "Rex", "more": {"a": [1]}}"#.utf8))
        XCTAssertEqual(pet.additionalProperties["more"], ["a": [1]])
        XCTAssertEqual(try JSONDecoder().decode(Pet.self, from: JSONEncoder().encode(pet)), pet)
    }
}
