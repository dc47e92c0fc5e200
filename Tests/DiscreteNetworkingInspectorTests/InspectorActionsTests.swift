import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingInspector
@testable import DiscreteNetworkingTraffic

/// What the page may do, over real sockets, and what it is refused.
@MainActor
final class InspectorActionsTests: XCTestCase {
    /// What the backend received: the target, the field X-Client and the body.
    private let received = Locked<[[String]]>([])
    private let clock = TestClock()

    private func proxy() throws -> ApiProxy {
        let server = try LoopbackServer { [received] request in
            received.withLock {
                $0.append([
                    request.target, request.header("X-Client") ?? "",
                    String(decoding: request.body, as: UTF8.self),
                ])
            }
            return .json(#"{"name":"from the backend"}"#)
        }
        addTeardownBlock { server.stop() }
        let services = ServiceFactory()
        let url = server.baseURL
        services.register([.kitchen: { KitchenService(baseURL: url) }])
        return ApiProxy(transport: StandardTransport.make(), services: services, clock: clock)
    }

    private func inspector(_ proxy: ApiProxy, allows: Inspector.Abilities) throws -> Inspector {
        let inspector = try Inspector(observing: proxy, allows: allows, print: { _ in })
        addTeardownBlock { inspector.stop() }
        return inspector
    }

    private func manager(_ proxy: ApiProxy) -> BrewManager {
        let manager = BrewManager()
        manager.proxy = proxy
        return manager
    }

    private func act(
        _ inspector: Inspector, _ path: String, _ body: JSONValue, _ headers: HTTPFields = [:],
        type: String = "application/json"
    ) async throws -> Answer {
        var fields: HTTPFields = ["Content-Type": type]
        fields.merge(headers)
        return try await Answer(
            of: inspector.url.appendingPathComponent(path), fields, .post, body.canonicalData)
    }

    private static let endpoint: [String: JSONValue] = [
        "service": "kitchen", "method": "POST", "methodName": "brew",
    ]

    private static func rule(_ values: [String: JSONValue]) -> JSONValue {
        .object(endpoint.merging(values) { $1 })
    }

    // MARK: Permission

    func testActionsAreRefusedUnlessTheAppAllowsThem() async throws {
        let proxy = try proxy()
        let actions: [(String, JSONValue, Inspector.Abilities)] = [
            ("replay", ["call": 1], .replay), ("curl", ["call": 1, "request": 0], .secrets),
            ("mock", Self.rule(["count": 1, "status": 200, "body": ""]), .mock),
            ("throttle", Self.rule(["seconds": 1]), .throttle),
        ]
        for (path, body, ability) in actions {
            let all: Inspector.Abilities = [.replay, .mock, .throttle, .secrets]
            for abilities in [[], all.subtracting(ability)] {
                let answer = try await act(inspector(proxy, allows: abilities), path, body)
                XCTAssertEqual(answer.status, 403, path)
            }
            let allowed = try await act(inspector(proxy, allows: ability), path, body)
            XCTAssertNotEqual(allowed.status, 403, path)
        }
        XCTAssertEqual(received.current.count, 0)
    }

    func testPagesOfOtherOriginsCannotAct() async throws {
        let proxy = try proxy()
        let inspector = try inspector(proxy, allows: [.replay, .mock, .throttle, .secrets])
        let body = Self.rule(["seconds": 1])
        let own = "http://127.0.0.1:\(try XCTUnwrap(inspector.url.port))"
        for (headers, type, status) in [
            (["Origin": "http://attacker.example"], "application/json", 403),
            (["Origin": "null"], "application/json", 403),
            (["Host": "attacker.example"], "application/json", 403),
            (["Sec-Fetch-Site": "cross-site"], "application/json", 403),
            (["Sec-Fetch-Site": "same-site"], "application/json", 403),
            // What a form or `no-cors` sends without asking.
            ([:], "text/plain", 415), ([:], "application/x-www-form-urlencoded", 415),
            (["Origin": own, "Sec-Fetch-Site": "same-origin"], "application/json", 200),
        ] as [(HTTPFields, String, Int)] {
            let answer = try await act(inspector, "throttle", body, headers, type: type)
            XCTAssertEqual(answer.status, status, "\(headers) \(type)")
        }
        let read = try await Answer(of: inspector.url.appendingPathComponent("throttle"))
        XCTAssertEqual(read.status, 405)
        let token = inspector.url.lastPathComponent
        let guessed = try XCTUnwrap(
            URL(string: "\(own)/\(String(repeating: "0", count: token.count))/throttle"))
        let answer = try await Answer(
            of: guessed, ["Content-Type": "application/json"], .post, body.canonicalData)
        XCTAssertEqual(answer.status, 404)
    }

    func testWrongActionsAreRefused() async throws {
        let inspector = try inspector(proxy(), allows: [.replay, .mock, .throttle, .secrets])
        for (path, body, status) in [
            ("replay", ["call": 999_999_999], 409), ("replay", [:], 400), ("replay", [1], 400),
            ("replay", ["call": 1, "headers": ["X": 1]], 400),
            ("replay", ["call": 1, "headers": ["X": "a\r\nY: b"]], 400),
            ("replay", ["call": 1, "headers": ["X Y": "b"]], 400),
            ("curl", ["call": 999_999_999, "request": 0], 404), ("curl", [:], 400),
            ("mock", Self.rule(["count": -1]), 400), ("mock", ["count": 1], 400),
            ("mock", Self.rule(["count": 1, "status": 99, "body": ""]), 400),
            ("throttle", Self.rule(["seconds": -1]), 400), ("throttle", Self.rule(["seconds": 1e9]), 400),
        ] as [(String, JSONValue, Int)] {
            let answer = try await act(inspector, path, body)
            XCTAssertEqual(answer.status, status, "\(path) \(body)")
        }
    }

    func testPageKnowsWhatIsAllowed() async throws {
        let proxy = try proxy()
        let nothing = try await Answer(of: inspector(proxy, allows: []).url)
        XCTAssertTrue(nothing.text.contains(#"data-allowed="""#))
        let some = try await Answer(of: inspector(proxy, allows: [.replay, .throttle]).url)
        XCTAssertTrue(some.text.contains(#"data-allowed="replay throttle""#))
    }

    // MARK: Actions

    func testReplaySendsTheCallAgain() async throws {
        let proxy = try proxy()
        let inspector = try inspector(proxy, allows: .replay)
        let manager = manager(proxy)
        _ = try await manager.load(with: ["leaf": "oolong", "password": "s3cret-s3cret"])
        let id = try XCTUnwrap(inspector.recorder.oldest).rawValue

        let answer = try await act(inspector, "replay", ["call": .number(JSONNumber(id))])
        XCTAssertEqual(answer.status, 200)
        await wait(for: 2, callsOf: inspector)
        // Other params, with a secret that the page does not know, and another field.
        let edited: JSONValue = [
            "call": .number(JSONNumber(id)), "params": ["leaf": "sencha", "password": "<redacted>"],
            "headers": ["X-Client": "page"],
        ]
        _ = try await act(inspector, "replay", edited)
        await wait(for: 3, callsOf: inspector)
        let bodies = received.current.map { try? JSONValue(parsing: Data($0[2].utf8)) }
        XCTAssertEqual(bodies.compactMap { $0?["leaf"]?.string }, ["oolong", "oolong", "sencha"])
        XCTAssertEqual(Set(bodies.compactMap { $0?["password"]?.string }), ["s3cret-s3cret"])
        XCTAssertEqual(received.current.map { $0[1] }, ["app", "app", "page"])
        XCTAssertEqual(manager.output?.name, "from the backend")
    }

    func testMockRespondsToSoManyCalls() async throws {
        let proxy = try proxy()
        let inspector = try inspector(proxy, allows: .mock)
        let mock = Self.rule(["count": 2, "status": 200, "body": #"{"name":"from the page"}"#])
        let rules = try await JSONValue(parsing: act(inspector, "mock", mock).body)
        XCTAssertEqual(rules["mocks"]?[0]?["count"], 2)
        var names: [String] = []
        for _ in 0..<3 { names.append(try await manager(proxy).load(with: [:]).name) }
        XCTAssertEqual(names, ["from the page", "from the page", "from the backend"])
        XCTAssertEqual(received.current.count, 1)
        // Nothing once the inspector has stopped.
        _ = try await act(inspector, "mock", mock)
        inspector.stop()
        let name = try await manager(proxy).load(with: [:]).name
        XCTAssertEqual(name, "from the backend")
    }

    func testForbiddenSamplesForbidMocks() async throws {
        let proxy = try proxy()
        proxy.sampleMode = .forbidden
        let inspector = try inspector(proxy, allows: .mock)
        _ = try await act(
            inspector, "mock", Self.rule(["count": 1, "status": 200, "body": #"{"name":"from the page"}"#]))
        let name = try await manager(proxy).load(with: [:]).name
        XCTAssertEqual(name, "from the backend")
    }

    func testThrottleDelaysTheCallsOfAnEndpoint() async throws {
        let proxy = try proxy()
        let inspector = try inspector(proxy, allows: .throttle)
        let rules = try await JSONValue(
            parsing: act(inspector, "throttle", Self.rule(["seconds": 30])).body)
        XCTAssertEqual(rules["delays"]?[0]?["seconds"], 30)
        let call = Task { try await manager(proxy).load(with: [:]).name }
        await wait("a delay") { Self.steps(inspector).contains("delayed") }
        XCTAssertEqual(received.current.count, 0)
        await wait("the end of the delay") {
            self.clock.advance(by: 30)
            return Self.steps(inspector).contains("finished")
        }
        let name = try await call.value
        XCTAssertEqual(name, "from the backend")
        let none = try await JSONValue(
            parsing: act(inspector, "throttle", Self.rule(["seconds": 0])).body)
        XCTAssertEqual(none["delays"], [])
    }

    // MARK: Reading

    func testSecretsAreShownOnlyWhereTheAppAllowsThem() async throws {
        let proxy = try proxy()
        let inspector = try inspector(proxy, allows: .secrets)
        _ = try await manager(proxy).load(with: ["password": "s3cret-s3cret"])
        let id = try XCTUnwrap(inspector.recorder.oldest).rawValue
        let page = try await Answer(of: inspector.url.appendingPathComponent("calls/\(id)"))
        XCTAssertFalse(page.text.contains("s3cret"))
        let curl = try await act(inspector, "curl", ["call": .number(JSONNumber(id)), "request": 0])
        XCTAssertTrue(curl.text.contains("s3cret-s3cret"))
    }

    func testSearchFindsParamsFieldsAndBodiesButNoSecrets() async throws {
        let proxy = try proxy()
        let inspector = try inspector(proxy, allows: [])
        _ = try await manager(proxy).load(with: ["leaf": "Oolong", "password": "s3cret-s3cret"])
        let id = JSONValue.number(JSONNumber(try XCTUnwrap(inspector.recorder.oldest).rawValue))
        for (texts, isFound) in [
            (["oolong"], true), (["x-client: app"], true), (["from the backend"], true),
            (["oolong", "backend"], true), (["oolong", "sencha"], false), (["s3cret"], false),
            (["pageref"], false),
        ] as [([JSONValue], Bool)] {
            let answer = try await act(
                inspector, "search", ["calls": [id, 999_999_999], "texts": .array(texts)])
            XCTAssertEqual(
                try JSONValue(parsing: answer.body)["calls"], isFound ? [id] : [], "\(texts)")
        }
    }

    private static func steps(_ inspector: Inspector) -> [String] {
        inspector.recorder.changes(since: 0, atMost: 1).first?.steps.map(\.name) ?? []
    }

    /// Waits until so many calls have ended.
    private func wait(for count: Int, callsOf inspector: Inspector, line: UInt = #line) async {
        await wait(
            "\(count) calls",
            until: {
                inspector.recorder.changes(since: 0, atMost: 10).filter { $0.end != nil }.count >= count
            },
            line: line)
    }

    private func wait(_ name: String, until isSo: () -> Bool, line: UInt = #line) async {
        let end = Date() + 30
        while !isSo() {
            guard Date() < end else { return XCTFail("waited in vain for \(name)", line: line) }
            await Task.yield()
        }
    }
}

extension ServiceIdentifier { fileprivate static let kitchen: Self = "kitchen" }

private final class KitchenService: Service {
    let baseURL: URL
    init(baseURL: URL) { self.baseURL = baseURL }
    init() { baseURL = URL(string: "https://kitchen.example")! }
}

private struct Brew: Decodable, Sendable { let name: String }

private final class BrewManager: APIManager<Brew> {
    let serviceIdentifier = ServiceIdentifier.kitchen
    let methodName = "brew"
    let requestType = HTTPMethod.post
    override var headers: [String: String] { ["X-Client": "app"] }
}
