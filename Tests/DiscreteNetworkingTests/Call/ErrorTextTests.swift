import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// An error's text says which call failed, at which URL, and after how many seconds.
@MainActor
final class ErrorTextTests: XCTestCase {
    private let secret = "s3cr3tCANARY"

    private func text(
        _ transport: any Transport, _ methodName: String = "products/{id}", with params: Params = ["id": 7],
        method: HTTPMethod = .get, timeout: TimeInterval? = nil,
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) async -> String {
        let manager = Stack(transport, change).manager(ProductManager())
        manager.methodName = methodName
        manager.requestType = method
        manager.ownTimeout = timeout
        guard let error = await failure(manager, with: params) else { return "" }
        XCTAssertTrue(
            error.localizedDescription.hasPrefix("test/\(error.endpoint) \(error.requestID): "),
            error.localizedDescription)
        XCTAssertTrue(error.description.hasPrefix(error.localizedDescription), error.description)
        return error.localizedDescription
    }

    private func failing(_ kind: TransportError.Kind) -> ClosureTransport {
        ClosureTransport { _ in throw TransportError(kind, message: "It failed.") }
    }

    func testLocalizedDescriptionNamesServiceEndpointAndRequestID() async {
        for kind in [
            APIError.Kind.vetoed, .notReachable, .timedOut, .cancelled, .http(status: 404), .swallowed,
        ] {
            let error = APIError(kind, call: .stub("orders/{id}"), redaction: .standard)
            let text = error.localizedDescription
            XCTAssertTrue(text.hasPrefix("test/orders/{id} \(error.requestID): "), text)
        }
    }

    func testADegradedEndpointSaysWhy() {
        let kind = APIError.Kind.degraded(until: Date(timeIntervalSince1970: 0))
        let error = APIError(kind, call: .stub("orders"), redaction: .standard)
        XCTAssertTrue(error.localizedDescription.contains("Calls to this endpoint are suspended until"))
        let own = APIError(kind, call: .stub("orders"), hint: "The budget is spent.", redaction: .standard)
        XCTAssertTrue(own.localizedDescription.hasSuffix("The budget is spent."), own.localizedDescription)
    }

    func testAnUnderlyingErrorOfTheSameCallIsNamedOnce() async {
        let manager = Stack(failing(.cannotConnect)) { $0.intercept = { _ in .swallow } }
            .manager(ProductManager())
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .swallowed)
        let name = "test/products/detail"
        XCTAssertEqual(error?.localizedDescription.components(separatedBy: name + " #").count, 2)
    }

    func testTransportErrorsNameTheURLWithoutItsSecrets() async {
        for kind in [TransportError.Kind.cannotConnect, .cannotFindHost, .connectionLost] {
            let text = await text(
                failing(kind), "reset/{token}/{id}", with: ["token": .some(secret), "id": 7, "q": "tea"]
            ) { $0.baseURL = URL(string: "https://shop.example.com:8443/api?app=\(self.secret)")! }
            XCTAssertTrue(text.contains(" https://shop.example.com:8443/api/reset/<redacted>/7"), text)
            XCTAssertTrue(text.contains("It failed."), text)
            XCTAssertFalse(text.contains(secret) || text.contains("?") || text.contains("tea"), text)
        }
    }

    func testARefusedConnectionNamesHostAndPort() async throws {
        let port = try LoopbackServer.refusedPort()
        let text = await text(StandardTransport.make()) {
            $0.baseURL = URL(string: "http://127.0.0.1:\(port)/api")!
        }
        XCTAssertTrue(text.contains(" http://127.0.0.1:\(port)/api/products/7"), text)
    }

    func testAnUnknownHostIsNamed() async {
        let text = await text(StandardTransport.make()) {
            $0.baseURL = URL(string: "https://nowhere.invalid")!
        }
        XCTAssertTrue(text.contains(" https://nowhere.invalid/products/7"), text)
    }

    func testATimeoutNamesTheURLAndTheSeconds() async throws {
        let gate = Gate()
        let silent = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        for (seconds, shown) in [(0.01, "0.01 s"), (0.25, "0.25 s")] {
            let text = await text(silent, timeout: seconds)
            XCTAssertTrue(text.contains(" https://api.example.com/products/7 "), text)
            XCTAssertTrue(text.contains(shown), text)
        }
        gate.open()
        let own = await text(failing(.timedOut)) { $0.timeout = 20 }
        XCTAssertTrue(own.contains(" 20 s"), own)
        let none = await text(failing(.timedOut)) { $0.timeout = .infinity }
        XCTAssertFalse(none.contains(" s;") || none.contains("inf"), none)
    }

    func testATimeoutBeforeTheRequestIsBuiltNamesTheSeconds() async throws {
        let gate = Gate()
        let stack = Stack(ClosureTransport(json: teapot)) { $0.timeout = 0.02 }
        stack.proxy.plugins = [Slow(gate: gate)]
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .timedOut)
        XCTAssertTrue(error?.localizedDescription.contains("0.02 s") == true, "\(error as Any)")
        gate.open()
    }

    private struct Slow: APIPlugin {
        let gate: Gate
        func adapt(_ request: inout APIRequest, for call: APICall) async throws { await gate.pass() }
    }

    func testAStatusNamesMethodAndURL() async {
        for status in [404, 405] {
            let text = await text(
                ClosureTransport(json: "", status: status), "reset/{token}", with: ["token": .some(secret)],
                method: .post
            ) { $0.baseURL = URL(string: "https://shop.example.com/v3")! }
            XCTAssertTrue(text.contains(" POST https://shop.example.com/v3/reset/<redacted> "), text)
        }
    }

    /// The reason phrases of RFC 9110 sections 15.2 to 15.6.
    func testEveryStatusOfRFC9110HasItsWords() {
        let phrases: [Int: String] = [
            100: "continue", 101: "switching protocols", 200: "OK", 201: "created", 202: "accepted",
            203: "non-authoritative information", 204: "no content", 205: "reset content",
            206: "partial content", 300: "multiple choices", 301: "moved permanently", 302: "found",
            303: "see other", 304: "not modified", 305: "use proxy", 306: "unused",
            307: "temporary redirect", 308: "permanent redirect", 400: "bad request", 401: "unauthorized",
            402: "payment required", 403: "forbidden", 404: "not found", 405: "method not allowed",
            406: "not acceptable", 407: "proxy authentication required", 408: "request timeout",
            409: "conflict", 410: "gone", 411: "length required", 412: "precondition failed",
            413: "content too large", 414: "URI too long", 415: "unsupported media type",
            416: "range not satisfiable", 417: "expectation failed", 418: "unused",
            421: "misdirected request", 422: "unprocessable content", 426: "upgrade required",
            429: "too many requests", 500: "internal server error", 501: "not implemented",
            502: "bad gateway", 503: "service unavailable", 504: "gateway timeout",
            505: "HTTP version not supported", 399: "redirect", 499: "client error", 599: "server error",
        ]
        for (status, words) in phrases {
            let text = APIError(.http(status: status), call: .stub(), redaction: .standard)
                .localizedDescription
            XCTAssertTrue(text.contains("status \(status) (\(words))"), text)
        }
    }

    func testAFailoverLineNamesBothHostsAndPorts() async throws {
        let lines = Locked<[String]>([])
        let transport = ClosureTransport { request in
            guard request.url.host == "a.example.com" else {
                return TransportResponse(request, json: teapot)
            }
            throw TransportError(.cannotConnect, message: "It failed.")
        }
        let stack = Stack(transport) {
            $0.baseURL = URL(string: "https://a.example.com:8001/api")!
            $0.failover = FailoverPolicy(to: [URL(string: "https://b.example.com:8443/")!])
        }.observed(by: APILogger(.full) { line in lines.withLock { $0.append(line) } })
        _ = try await stack.manager(ProductManager()).load(with: ["id": 7])
        let line = try XCTUnwrap(lines.current.first { $0.contains("host 2 of 2") })
        XCTAssertTrue(line.contains("b.example.com:8443, host 2 of 2"), line)
        XCTAssertTrue(line.contains("a.example.com:8001, host 1 of 2"), line)
        XCTAssertEqual(line.components(separatedBy: "test/products/detail").count, 2, "named once: \(line)")
    }

    // MARK: Business codes

    private func businessText(_ body: String, _ envelope: Envelope) async -> String {
        let text = await text(ClosureTransport(json: body)) { $0.envelope = envelope }
        XCTAssertTrue(text.contains("business code"), text)
        return text
    }

    func testAnErrorNamesABusinessCodeOfAnotherTypeThanTheSuccessCode() async {
        let text = await businessText(
            #"{"code":"0","content":{}}"#, Envelope(code: "code", payload: "content"))
        XCTAssertTrue(text.contains("string \"0\"") && text.contains("number 0"), text)
        XCTAssertTrue(text.contains(".integers"), text)
        let number = await businessText(
            #"{"code":200,"content":{}}"#, Envelope(code: "code", success: ["200"], payload: "content"))
        XCTAssertTrue(number.contains("number 200") && number.contains("string \"200\""), number)
        let nested = await businessText(
            #"{"code":0,"re":{"code":"0"}}"#,
            Envelope(code: "code", payload: "re").containing(Envelope(code: "code")))
        XCTAssertTrue(nested.contains("string \"0\""), nested)
        let other = await businessText(#"{"code":"1"}"#, Envelope(code: "code"))
        XCTAssertFalse(other.contains("number"), other)
    }

    func testABusinessFailureHasTheCodeInItsResponse() async {
        let manager = Stack(ClosureTransport(json: #"{"code":5,"msg":"sold out"}"#)) {
            $0.envelope = Envelope(code: "code", message: "msg")
        }.manager(ProductManager())
        let error = await failure(manager)
        XCTAssertEqual(error?.response?.businessCode, 5)
        XCTAssertEqual(error?.response?.businessMessage, "sold out")
    }

    // MARK: Payloads

    func testAWrongPayloadPathFailsForUntypedOutputsToo() async {
        func kind<Output: Decodable & Sendable>(_ type: Output.Type, _ body: String) async -> APIError.Kind? {
            await failure(
                Stack(ClosureTransport(json: body)) {
                    $0.envelope = Envelope(code: "code", payload: "content")
                }.manager(TestManager<Output>()))?.kind
        }
        let body = #"{"code":0,"data":{"id":7}}"#
        let expected = await kind(Product.self, body)
        guard case .decoding(let failure)? = expected else { return XCTFail("\(expected as Any)") }
        XCTAssertEqual(failure.path, ["content"])
        for found in [
            await kind(JSONValue.self, body), await kind(String.self, body), await kind(Data.self, body),
        ] {
            guard case .decoding(let failure)? = found else {
                XCTFail("\(found as Any)")
                continue
            }
            XCTAssertEqual(failure.path, ["content"])
            XCTAssertTrue(failure.reason.contains("payload is missing"), failure.reason)
        }
        // Outputs that may be absent, and payloads that are there.
        for found in [
            await kind(NoContent.self, body), await kind(JSONValue?.self, body),
            await kind(String?.self, body),
            await kind(Product?.self, body), await kind(JSONValue.self, #"{"code":0,"content":null}"#),
            await kind(String.self, #"{"code":0,"content":null}"#), await kind(JSONValue.self, ""),
            await kind(Data.self, ""), await kind(String.self, ""),
        ] {
            XCTAssertNil(found)
        }
    }
}
