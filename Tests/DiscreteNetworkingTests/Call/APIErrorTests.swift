import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// An error's texts say which call failed and why, and never hold a secret.
final class APIErrorTests: XCTestCase {
    private let secret = "s3cr3tCANARY"

    private func error(
        _ kind: APIError.Kind, status: Int = 500, body: Data? = nil, underlying: APIError? = nil,
        redaction: Redaction = .standard
    ) -> APIError {
        let call = APICall.stub("orders/{id}")
        let response = body.map { body in
            APIResponse(
                requestID: call.requestID,
                response: TransportResponse(
                    url: URL(string: "https://u:\(secret)@h/?token=\(secret)")!, status: status,
                    headers: ["Set-Cookie": secret], body: .data(body)))
        }
        return APIError(kind, call: call, response: response, underlying: underlying, redaction: redaction)
    }

    private func texts(_ error: APIError) -> [String] {
        var dumped = ""
        dump(error, to: &dumped)
        var dumpedInside = ""
        dump(["result": Result<Int, APIError>.failure(error)], to: &dumpedInside)
        return [
            error.description, error.localizedDescription, error.debugDescription, dumped, dumpedInside,
            String(reflecting: error), String(describing: error), "\(Optional.some(error) as Any)",
            "\([error])",
            (error as NSError).description, (error as any Error).localizedDescription,
        ]
    }

    func testADescriptionNamesTheCall() {
        let error = error(.http(status: 503), status: 503, body: Data(#"{"msg":"茶壶\n\tbroken"}"#.utf8))
        XCTAssertEqual(
            error.description,
            "test/orders/{id} \(error.requestID): The server responded with status 503 (service unavailable), which the service does not accept. [HTTP 503, 26 bytes: {\"msg\":\"茶壶\\n\\tbroken\"}]"
        )
        XCTAssertEqual(error.debugDescription, error.description)
        XCTAssertEqual(
            error.localizedDescription,
            "test/orders/{id} \(error.requestID): The server responded with status 503 (service unavailable), which the service does not accept."
        )
        XCTAssertEqual(self.error(.timedOut).description.contains("HTTP"), false)
    }

    func testATextOfTheServerForgesNoLine() {
        let text = "a\n\u{1B}[31mb\u{202E}\u{2028}c"
        let escaped = #"a\n\u{1B}[31mb\u{202E}\u{2028}c"#
        let failure = APIError.DecodingFailure(path: [text], reason: text)
        for kind in [.business(code: .string("E\r"), message: text), .decoding(failure)] as [APIError.Kind] {
            let error = error(kind, body: Data("\u{202E}x".utf8))
            for shown in [error.description, error.localizedDescription] {
                XCTAssertTrue(shown.contains(escaped), shown)
                let controls = shown.unicodeScalars.filter { $0.value < 0x20 || $0.value > 0x2000 }
                XCTAssertEqual(controls.count, 0, shown)
            }
        }
        XCTAssertTrue(error(.invalidParams(reason: "one:\n  two")).description.contains("one:\n  two"))
    }

    func testEachKindSaysWhatHappened() {
        let date = Date(timeIntervalSince1970: 0)
        let failure = APIError.DecodingFailure(
            path: ["content", "items", "2", "name"], reason: "expected String.")
        let top = APIError.DecodingFailure(path: [], reason: "expected Int.")
        let cases: [(APIError.Kind, String)] = [
            (.vetoed, "interceptor"), (.invalidParams(reason: "no id"), "params: no id"),
            (.serviceNotRegistered, #"ServiceFactory.shared.register(["test": YourService.self])"#),
            (.serviceCycle(["a", "b", "a"]), "services a → b → a look up each other"),
            (.loginFailed(reason: "no finger"), "login failed: no finger"),
            (.notReachable, "no network"), (.degraded(until: date), "until 1970-01-01T00:00:00.000Z ("),
            (.degraded(until: nil), "until it recovers ("),
            (.invalidRequest(reason: "no host"), "sent: no host"),
            (.timedOut, "timed out"), (.cancelled, "canceled"), (.http(status: 404), "404 (not found)"),
            (.http(status: 418), "status 418 (unused),"), (.http(status: 401), "401 (unauthorized)"),
            (.http(status: 302), "302 (found)"), (.http(status: 304), "304 (not modified)"),
            (.business(code: 1024, message: "sold out"), "code 1024: sold out."),
            (.business(code: "E1", message: nil), "code \"E1\"."),
            (.decoding(failure), "at content.items[2].name: expected String."),
            (.decoding(top), "at the top: expected"),
            (.invalidResponse(reason: "too cheap"), "response: too cheap"),
            (.swallowed, "withheld the outcome"),
        ]
        for (kind, part) in cases {
            let error = error(kind)
            XCTAssertTrue(error.errorDescription?.contains(part) ?? false, error.description)
            XCTAssertTrue(
                error.description.hasPrefix("test/orders/{id} \(error.requestID): "), error.description)
            XCTAssertTrue(error.description.contains(error.localizedDescription))
        }
    }

    func testNoTextHoldsASecret() {
        let body = Data(#"{"token":"\#(secret)","user":{"password":["\#(secret)"]},"id":7}"#.utf8)
        let pair = "token=\(secret)"
        let failure = APIError.DecodingFailure(path: ["token"], reason: #"found {"pwd":"\#(secret)"}"#)
        let inner = error(.invalidRequest(reason: pair), body: body)
        let kinds: [APIError.Kind] = [
            .invalidParams(reason: pair), .invalidRequest(reason: pair), .invalidResponse(reason: pair),
            .business(code: 1, message: pair), .business(code: ["token": .string(secret)], message: nil),
            .decoding(failure), .http(status: 500), .swallowed,
            .transport(TransportError(.connectionLost, message: pair)),
        ]
        for kind in kinds {
            let error = error(kind, body: body, underlying: inner)
            for text in texts(error) { XCTAssertFalse(text.contains("s3cr3t"), text) }
            XCTAssertTrue(error.description.contains(#""id":7"#), "what is no secret stays")
            let open = self.error(kind, body: body, redaction: .none)
            XCTAssertTrue(open.description.contains(secret), open.description)
        }
    }

    func testRedactionLeavesTheWords() {
        let wrong = APIError.DecodingFailure(path: ["data", "token"], reason: "expected String, found null.")
        let cases: [(APIError.Kind, String)] = [
            (
                .refreshFailed(.failed(reason: "s/oauth/token: The server responded with status 400.")),
                "s/oauth/token: The server responded with status 400."
            ),
            (.invalidParams(reason: "password: at least 8 characters"), "password: at least 8 characters"),
            (.business(code: 1, message: "token: expired"), "1: token: expired"),
            (.business(code: 1, message: "Invalid token: expired"), "Invalid token: expired"),
            (.decoding(wrong), "at data.token: expected String, found null."),
            (.invalidResponse(reason: "token_type: is missing"), "token_type: is missing"),
        ]
        for (kind, words) in cases {
            XCTAssertTrue(error(kind).description.contains(words), error(kind).description)
        }
    }

    /// Foundation quotes a value that is none of an enumeration's.
    func testADecodingErrorQuotesNoSecret() {
        struct Session: Decodable {
            enum Kind: String, Decodable { case known }
            let token: Kind
        }
        let body = Data(#"{"token":"\#(secret)"}"#.utf8)
        XCTAssertThrowsError(try JSONDecoder().decode(Session.self, from: body)) {
            let failure = APIError.DecodingFailure(
                $0, at: JSONPath([]), keys: SentKeys(JSONDecoder(), body))
            XCTAssertTrue(failure.reason.contains(secret), "it is there to be hidden")
            for text in texts(error(.decoding(failure), body: body)) {
                XCTAssertFalse(text.contains(secret), text)
            }
            XCTAssertTrue(error(.decoding(failure), redaction: .none).description.contains(secret))
        }
    }

    func testTheDescriptionContainsTheUnderlyingFailure() {
        let error = error(.swallowed, underlying: error(.http(status: 401)))
        XCTAssertTrue(error.localizedDescription.contains("401 (unauthorized)"))
        XCTAssertEqual(error.underlying?.kind, .http(status: 401))
        XCTAssertNil(self.error(.swallowed).underlying)
    }

    // MARK: The snippet

    private func snippet(_ body: Data) -> String? { error(.timedOut, body: body).snippet }
    private func snippet(_ body: String) -> String? { snippet(Data(body.utf8)) }

    func testASnippetIsBounded() {
        XCTAssertEqual(snippet(String(repeating: "a", count: 256)), String(repeating: "a", count: 256))
        XCTAssertEqual(snippet(String(repeating: "a", count: 257)), String(repeating: "a", count: 255) + "…")
        for piece in ["茶", "😀", "👩‍👩‍👧", "e\u{301}", "\r\n", "\"token\":\"s3cr3t\","] {
            for count in [1, 10, 300, 5000] {
                let text = snippet(String(repeating: piece, count: count)) ?? ""
                XCTAssertLessThanOrEqual(text.count, 256)
                XCTAssertEqual(text.hasSuffix("…"), count > 256 || count > 10 && piece.count > 10, piece)
                XCTAssertFalse(text.contains("s3cr3t"))
            }
        }
    }

    func testACutInsideACharacterIsNoBinary() {
        // The cut is at 2048 bytes: each offset puts another byte of a character there.
        for character in ["é", "茶", "😀"] {
            for offset in 0...4 {
                let body =
                    String(repeating: "a", count: 2044 + offset) + String(repeating: character, count: 9)
                XCTAssertEqual(
                    snippet(body), String(repeating: "a", count: 255) + "…", "\(character) \(offset)")
            }
            let body = Data(String(repeating: character, count: 100).utf8)
            for cut in 0..<4 {
                let text = snippet(body.dropLast(cut)) ?? ""
                XCTAssertEqual(text.hasPrefix(String(repeating: character, count: 98)), true)
                XCTAssertFalse(text.contains("\u{FFFD}"))
            }
        }
    }

    func testASecretAcrossTheCutStaysHidden() {
        // The long password shrinks to a mark, so that what is around the cut at 2048 bytes is seen.
        for length in 1980...2048 {
            let body = #"{"password":"\#(String(repeating: "x", count: length))","token":"\#(secret)"}"#
            let text = snippet(body) ?? ""
            XCTAssertTrue(text.hasPrefix(#"{"password":"<redacted>""#), text)
            XCTAssertFalse(text.contains("s3"), text)
            XCTAssertTrue(text.hasSuffix("…") || body.utf8.count <= 2048, text)
        }
    }

    func testABinaryBodyHasNoSnippet() {
        XCTAssertNil(error(.timedOut).snippet)
        XCTAssertNil(snippet(""))
        XCTAssertNil(snippet("a\u{0}b"))
        XCTAssertNil(snippet("a\u{1B}[31mb"))
        XCTAssertNil(snippet(Data([0x89, 0x50, 0x4E, 0x47, 0xFF, 0xFE])))
        XCTAssertNil(snippet(Data([0x61, 0xFF] + Array(repeating: 0x61, count: 20))))
        XCTAssertEqual(snippet("a\r\nb\tc\nd"), "a b c d")
    }

    @MainActor
    func testAnErrorNamesTheEndpointWithItsValues() async throws {
        let stack = Stack(ClosureTransport(json: "", status: 404)) { $0.extraParams = ["shop": 3] }
        func endpoint(_ methodName: String, _ params: Params) async -> String {
            let manager = stack.manager(ProductManager())
            manager.methodName = methodName
            let error = await failure(manager, with: params)
            XCTAssertEqual(error?.methodName, methodName, "as written, to count by")
            XCTAssertEqual(error?.description.contains("test/\(error?.endpoint ?? "") #"), true)
            return error?.endpoint ?? ""
        }
        let cases: [(String, Params, String)] = [
            ("products/{id}", ["id": 404], "products/404"),
            ("products/{id}", ["ID": 404], "products/{id}"),
            ("{shop}/{id}.json", ["id": "a b/c\n", "page": 2], "3/a%20b%2Fc%0A.json"),
            ("reset/{token}/{id}", ["token": .some(secret), "id": 7], "reset/{token}/7"),
            ("state/{id}/{key}", ["id": 1, "key": ""], "state/1/{key}"),
            ("state/{id}/{name=}", ["id": 1, "name": ""], "state/1/"),
            ("a/{", [:], "a/{"), ("plain", ["id": 7], "plain"),
        ]
        for (methodName, params, expected) in cases {
            let shown = await endpoint(methodName, params)
            XCTAssertEqual(shown, expected)
        }
    }

    @MainActor
    func testAnErrorOfACallNamesIt() async throws {
        let transport = ClosureTransport(json: #"{"password":"\#(secret)","why":"late"}"#, status: 500)
        let manager = Stack(transport).manager(ProductManager())
        manager.ownHeaders = ["Authorization": secret]
        let thrown = await failure(manager, with: ["token": .some(secret)])
        let error = try XCTUnwrap(thrown)
        XCTAssertTrue(error.description.hasPrefix("test/products/detail #\(error.requestID.rawValue): "))
        XCTAssertTrue(
            error.description.contains(
                "[HTTP 500, 40 bytes: {\"password\":\"<redacted>\",\"why\":\"late\"}]"), error.description)
        for text in texts(error) { XCTAssertFalse(text.contains("s3cr3t"), text) }
    }
}
