import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingInspector

/// What the inspector answers, and whom.
@MainActor
final class InspectorTests: XCTestCase {
    private let stubs = StubTransport()
    private lazy var proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])

    private func inspector(_ access: Inspector.Access = .thisMachine) throws -> Inspector {
        let inspector = try Inspector(observing: proxy, access: access, print: { _ in })
        addTeardownBlock { inspector.stop() }
        return inspector
    }

    private func load(_ answer: StubAnswer = .json(["name": "茶壶"]), params: Params = ["id": 7]) async throws {
        let manager = TeapotManager()
        manager.proxy = proxy
        stubs.on(TeapotManager.self, answer: answer)
        _ = try await manager.load(with: params)
    }

    func testTheURLIsPrintedOnceAndHasARandomToken() throws {
        let lines = Locked<[String]>([])
        let inspector = try Inspector(observing: proxy, print: { line in lines.withLock { $0.append(line) } })
        defer { inspector.stop() }
        XCTAssertEqual(lines.current, ["The inspector: \(inspector.url.absoluteString)"])
        XCTAssertEqual(inspector.url.host, "127.0.0.1")
        XCTAssertEqual(inspector.url.lastPathComponent.count, 32)
        XCTAssertNotEqual(inspector.url.lastPathComponent, try self.inspector().url.lastPathComponent)
    }

    func testThePageIsOnePieceThatLoadsNothingFromElsewhere() async throws {
        let page = try await Answer(of: inspector().url)
        XCTAssertEqual(page.status, 200)
        let policy = try XCTUnwrap(page.headers["Content-Security-Policy"])
        XCTAssertTrue(policy.hasPrefix("default-src 'none'; script-src 'nonce-"))
        XCTAssertEqual(page.headers["Cache-Control"], "no-store")
        XCTAssertFalse(page.text.contains("%script%"))
        XCTAssertFalse(page.text.contains("http://"))
        XCTAssertFalse(page.text.contains("https://"))
        XCTAssertFalse(page.text.contains("innerHTML"), "what a server sends would become part of the page")
    }

    func testEverythingElseIsRefused() async throws {
        let url = try inspector().url
        let port = try XCTUnwrap(url.port)
        let token = url.lastPathComponent
        let wrong = String(token.reversed())
        for (path, status) in [
            ("/", 404), ("/\(wrong)/", 404), ("/\(token)", 404), ("/\(token)x/", 404),
            ("/\(token)/other", 404),
            ("/\(token)/calls/999999999", 404), ("/\(token)/calls/x", 404),
            ("/\(token)/../\(token)/har", 404),
            ("/\(token)/har", 405),
        ] {
            let answer = try await Answer(of: XCTUnwrap(URL(string: "http://127.0.0.1:\(port)\(path)")))
            XCTAssertEqual(answer.status, status, path)
        }
    }

    func testOtherHostNamesAndOriginsAreRefused() async throws {
        let url = try inspector().url
        let own = "127.0.0.1:\(url.port!)"
        for (fields, status) in [
            (["Host": "attacker.example"], 403), (["Host": "attacker.example:\(url.port!)"], 403),
            (["Host": "127.0.0.1:80@attacker.example"], 403), (["Host": "localhost:x"], 403),
            (["Host": "localhost.attacker.example"], 403),
            (["Host": "192.168.1.23"], 403), (["Host": "localhost:\(url.port!)"], 200),
            (["Host": own, "Origin": "http://attacker.example"], 403),
            (["Host": own, "Origin": "null"], 403),
            (["Host": own, "Origin": "http://\(own)"], 200),
        ] as [(HTTPFields, Int)] {
            let answer = try await Answer(of: url, fields)
            XCTAssertEqual(answer.status, status, "\(fields)")
        }
    }

    func testANetworkIsServedUnderTheGivenNamesOnly() async throws {
        let url = try inspector(.network(names: ["Phone.local"])).url
        let (named, other) = (
            try await Answer(of: url, ["Host": "phone.local:1"]),
            try await Answer(of: url, ["Host": "other.local"])
        )
        XCTAssertEqual([named.status, other.status], [200, 403])
    }

    func testTheURLsOfANetworkAreThoseThatADeviceCanOpen() throws {
        let lines = Locked<[String]>([])
        let inspector = try Inspector(
            observing: proxy, access: .network(names: ["phone.local", "192.168.1.23"]),
            print: { line in lines.withLock { $0.append(line) } })
        defer { inspector.stop() }
        let port = try XCTUnwrap(inspector.url.port)
        let token = inspector.url.lastPathComponent
        let urls = ["127.0.0.1", "192.168.1.23", "phone.local"].map { "http://\($0):\(port)/\(token)/" }
        XCTAssertEqual(inspector.urls.map(\.absoluteString), urls)
        XCTAssertEqual(lines.current.prefix(3), urls.map { "The inspector: \($0)" }[...])
        XCTAssertEqual(Array(lines.current.dropFirst(3)), QRCode(urls[1])?.lines())
    }

    func testACallIsServedAsAnArchive() async throws {
        let inspector = try inspector()
        try await load()
        let id = try XCTUnwrap(inspector.recorder.oldest)
        let one = try await Answer(of: inspector.url.appendingPathComponent("calls/\(id.rawValue)"))
        let archive = try JSONValue(parsing: one.body)
        XCTAssertEqual(archive[path: "log.pages.0._manager"], "TeapotManager")
        XCTAssertEqual(archive["log"]?["entries"]?[0]?["response"]?["content"]?["text"], #"{"name":"茶壶"}"#)

        let none = try await Answer(
            of: inspector.url.appendingPathComponent("har"), [:], .post, Data("[999999999]".utf8))
        XCTAssertEqual(try JSONValue(parsing: none.body)["log"]?["pages"], [])
        let chosen = try await Answer(
            of: inspector.url.appendingPathComponent("har"), [:], .post, Data("[\(id.rawValue)]".utf8))
        XCTAssertEqual(try JSONValue(parsing: chosen.body)["log"]?["pages"]?.array?.count, 1)
        let odd = try await Answer(
            of: inspector.url.appendingPathComponent("har"), [:], .post, Data("{".utf8))
        XCTAssertEqual(odd.status, 400)
    }

    func testEventsTellOfEachCallAndGoOnBehindTheLastOne() async throws {
        let inspector = try inspector()
        try await load()
        let page = try await EventReader(inspector.url)
        XCTAssertEqual(page.type, "text/event-stream; charset=utf-8")
        let first = try await page.read(until: #""state":"succeeded""#)
        XCTAssertTrue(first.contains(#""manager":"TeapotManager""#))
        try await load(params: ["id": 8])
        let second = try await page.read(until: #""state":"succeeded""#)
        XCTAssertTrue(second.contains("data: "))

        // A page that has seen all but the last change.
        let again = try await EventReader(inspector.url, after: inspector.recorder.revision - 1)
        let rest = try await again.read(until: #""state":"succeeded""#)
        XCTAssertEqual(rest.components(separatedBy: #""manager""#).count, 2)
        // A page of an earlier run of the app, which knows more changes than there are.
        let old = try await EventReader(inspector.url, after: 1_000_000)
        let all = try await old.read(until: #""endpoint":"teapots/8""#)
        XCTAssertTrue(all.contains(#""endpoint":"teapots/7""#))
    }

    func testAPageThatNeverReadsCostsNoMemoryAndHindersNobody() async throws {
        let inspector = try inspector()
        let silent = try await EventReader(inspector.url)
        for _ in 1...200 { try await load(params: ["id": 7, "q": String(repeating: "x", count: 2000)]) }
        let page = try await Answer(of: inspector.url)
        XCTAssertEqual(page.status, 200)
        withExtendedLifetime(silent) {}
    }

    /// The list has the beginning of a long URL only, and the recorder keeps to its limit.
    func testLongCallsAreLimitedInMemoryAndInEvents() async throws {
        let inspector = try Inspector(
            observing: proxy, limits: .init(bytes: 4 << 20, body: 1000), print: { _ in })
        defer { inspector.stop() }
        for number in 1...20 {
            try await load(params: ["id": number, "q": String(repeating: "x", count: 200_000)])
        }
        XCTAssertLessThanOrEqual(inspector.recorder.bytes, 4 << 20)
        let calls = inspector.recorder.changes(since: 0, atMost: 100)
        XCTAssertTrue((2..<20).contains(calls.count), "\(calls.count)")
        for call in calls {
            XCTAssertLessThan(inspector.recorder.summary(of: call).canonicalText.utf8.count, 4000)
        }
    }

    func testAStoppedInspectorObservesNothing() async throws {
        let inspector = try inspector()
        inspector.stop()
        try await load()
        XCTAssertNil(inspector.recorder.oldest)
        let refusal = await Answer.failure(of: inspector.url)
        XCTAssertEqual(refusal, .cannotConnect)
    }

    func testAnInspectorThatIsReleasedStops() async throws {
        var inspector: Inspector? = try Inspector(observing: proxy, print: { _ in })
        let url = try XCTUnwrap(inspector?.url)
        let before = await Answer.failure(of: url)
        XCTAssertNil(before)
        inspector = nil
        let after = await Answer.failure(of: url)
        XCTAssertEqual(after, .cannotConnect)
    }
}

extension ServiceIdentifier { fileprivate static let shop: Self = "shop" }

private final class ShopService: Service {
    var baseURL: URL { URL(string: "https://shop.example")! }
}

private struct Teapot: Decodable, Sendable { let name: String }

private final class TeapotManager: APIManager<Teapot> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "teapots/{id}"
    let requestType = HTTPMethod.get
}
