import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Who wins where manager, service and encoding differ, and what never reaches a transport.
final class RequestGeneratorTests: XCTestCase {
    private func call(
        _ params: Params = [:], _ headers: [String: String] = [:], method: HTTPMethod = .post,
        timeout: TimeInterval? = nil
    ) -> APICall {
        .stub(
            "products/detail", params, method: method,
            overrides: APICall.Overrides(
                headers: Result { () throws(InvalidRequestError) in try HTTPFields(validating: headers) },
                timeout: timeout))
    }

    func testOwnParamsBeatExtraParams() async throws {
        let own: Params = ["a": 1, "n": JSONValue.null]
        let built = try await request(call(own)) { $0.extraParams = ["a": 2, "b": 3, "n": 4] }
        XCTAssertEqual(built.body.text, #"{"a":1,"b":3,"n":null}"#)
        let none = try await request(call()) { $0.extraParams = ["a": 2] }
        XCTAssertEqual(none.body.text, #"{"a":2}"#)
    }

    func testRankOfHeaders() async throws {
        let ranks: [(own: [String: String], extra: [String: String], defaults: HTTPFields, wins: String)] = [
            (["content-type": "own"], ["Content-Type": "extra"], ["CONTENT-TYPE": "default"], "own"),
            ([:], ["content-TYPE": "extra"], ["CONTENT-TYPE": "default"], "extra"),
            ([:], [:], ["CONTENT-TYPE": "default", "content-type": "default"], "application/json"),
        ]
        for rank in ranks {
            let built = try await request(call(["a": 1], rank.own)) { rules in
                rules.extraHeaders = rank.extra
                rules.defaultHeaders = rank.defaults
            }
            XCTAssertEqual(built.headers.values(of: "Content-Type"), [rank.wins])
        }
        let get = try await request(call(method: .get)) { $0.defaultHeaders = ["Content-Type": "default"] }
        XCTAssertEqual(get.headers["Content-Type"], "default")
    }

    func testHeadersOfAllRanksGoTogether() async throws {
        let built = try await request(call(["a": 1], ["D": "4"])) { rules in
            rules.defaultHeaders = ["A": "1", "a": "2"]
            rules.extraHeaders = ["C": "3"]
        }
        XCTAssertEqual(
            built.headers, ["A": "1", "a": "2", "Content-Type": "application/json", "C": "3", "D": "4"])
    }

    func testTimeoutOfTheManagerBeatsTheService() async throws {
        let own = try await request(call(timeout: 3)) { $0.timeout = 7 }
        XCTAssertEqual(own.timeout, 3)
        let service = try await request(call()) { $0.timeout = .infinity }
        XCTAssertEqual(service.timeout, .infinity)
        for timeout in [0, -1, .nan, -.infinity] as [TimeInterval] {
            let reason = await refusal(call(timeout: timeout))
            XCTAssertTrue(reason?.contains("timeout") ?? false, reason ?? "")
        }
    }

    // MARK: The last look

    func testAdaptSeesTheWholeRequestAndHasTheLastWord() async throws {
        let built = try await request(call(["a": 1], ["X": "own"])) { rules in
            rules.extraHeaders = ["Y": "extra"]
            rules.adapt = { request, call in
                XCTAssertEqual(request.body.text, #"{"a":1}"#)
                XCTAssertEqual(request.headers["X"], "own")
                XCTAssertEqual(request.headers["Y"], "extra")
                XCTAssertEqual(call.params, ["a": 1])
                request.headers["X"] = "adapted"
                request.method = .put
                request.url = URL(string: "https://other.example.com/x")!
                request.timeout = 1
                request.body = .none
            }
        }
        XCTAssertEqual(built.headers["x"], "adapted")
        XCTAssertEqual(built.method, .put)
        XCTAssertEqual(built.url.absoluteString, "https://other.example.com/x")
        XCTAssertEqual(built.timeout, 1)
        XCTAssertTrue(built.body.isNone)
    }

    func testInvalidRequestMadeByAdaptIsRefused() async {
        let changes: [(@Sendable (inout APIRequest) -> Void, String)] = [
            ({ $0.headers["X-A"] = "s3cr3t\r\nEvil: 1" }, "X-A"),
            ({ $0.method = "GE T" }, "GE T"), ({ $0.method = "" }, "method"),
            ({ $0.method = "GET\r\nX: 1" }, "method"),
            ({ $0.url = URL(string: "ftp://h/s3cr3t")! }, "scheme"),
            ({ $0.url = URL(string: "/s3cr3t")! }, "scheme"),
            ({ $0.url = URL(string: "https:///s3cr3t")! }, "host"),
            ({ $0.url = URL(fileURLWithPath: "/s3cr3t") }, "scheme"),
            ({ $0.timeout = 0 }, "timeout"), ({ $0.timeout = .nan }, "timeout"),
        ]
        for (change, cause) in changes {
            let reason = await refusal(call()) { $0.adapt = { request, _ in change(&request) } } ?? ""
            XCTAssertTrue(reason.contains(cause), reason)
            XCTAssertFalse(reason.contains("s3cr3t"), reason)
        }
    }

    // MARK: Injection

    func testHeaderInjectionIsRefusedWhereverItComesFrom() async {
        let bad = "s3cr3t\r\nEvil: 1"
        let reasons = [
            await refusal(call([:], ["X-A": bad])), await refusal(call()) { $0.extraHeaders = ["X-A": bad] },
            await refusal(call()) { $0.defaultHeaders = ["X-A": bad] },
            await refusal(call([:], ["X-A\r\nEvil": "s3cr3t"])),
            await refusal(call()) { $0.encoding = { _ in .raw(Data(), contentType: bad) } },
        ]
        for reason in reasons {
            XCTAssertTrue(reason?.contains("header") ?? false, reason ?? "")
            XCTAssertFalse(reason?.contains("s3cr3t") ?? true, reason ?? "")
        }
        for method in ["GET /x HTTP/1.1\r\nEvil: 1", "", "GE T", "é"] {
            let reason = await refusal(call(method: HTTPMethod(rawValue: method)))
            XCTAssertTrue(reason?.contains("method") ?? false, reason ?? "")
        }
    }

    // MARK: Through a proxy

    struct NoGateway: Error, CustomStringConvertible {
        var description: String { "no gateway, token=s3cr3t" }
    }

    final class Homeless: Service {
        var baseURL: URL { URL(string: "https://api.example.com")! }
        func url(for call: APICall) throws -> URL { throw NoGateway() }
    }

    @MainActor
    func testAServiceThatThrowsForTheURL() async {
        let transport = ClosureTransport(json: teapot)
        let services = ServiceFactory()
        services.register([.test: Homeless.self])
        let manager = ProductManager()
        manager.proxy = ApiProxy(transport: transport, services: services)
        let error = await failure(manager)
        guard case .invalidRequest(let reason)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains("no gateway"), reason)
        XCTAssertTrue(error?.localizedDescription.contains("no gateway") ?? false)
        XCTAssertFalse(error?.localizedDescription.contains("s3cr3t") ?? true)
        XCTAssertEqual(transport.requests.count, 0)
    }

    @MainActor
    func testNothingRefusedIsSent() async {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport)
        let manager = stack.manager(ProductManager())
        manager.ownHeaders = ["X-A": "1\r\n2"]
        var error = await failure(manager)
        guard case .invalidRequest(let reason)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains("X-A"))
        manager.ownHeaders = [:]
        manager.methodName = "users/{id}"
        error = await failure(manager, with: ["id": "../admin"])
        guard case .invalidRequest? = error?.kind else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(transport.requests.count, 0)
    }

    @MainActor
    func testARequestIsMadeAnewForEachAttempt() async throws {
        let transport = ClosureTransport { request in
            TransportResponse(request, json: teapot, status: request.url.query == "id=1&n=1" ? 500 : 200)
        }
        let stack = Stack(transport) { rules in
            rules.intercept = { _ in .retry }
            rules.adapt = { request, call in
                request.url = try URLRule.appending(query: "n=\(call.attempt)", to: request.url)
            }
        }
        _ = try await stack.manager(ProductManager()).load(with: ["id": 1])
        XCTAssertEqual(transport.requests.map(\.url.query), ["id=1&n=1", "id=1&n=2"])
    }
}
