import DiscreteNetworkingSigning
import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// A marked secret is put wherever one can be, and looked for in every text that the framework makes of it.
@MainActor
final class SecretTextTests: XCTestCase {
    private nonisolated static let mark = "M4RK3D-s3cr3t"
    private nonisolated static let bytes = Data(mark.utf8)

    // MARK: Looking

    /// The ways in which a text may be written.
    private static let forms: [String] = {
        let base64 = (0..<3).map { shift in
            let text = (Data(count: shift) + bytes).base64EncodedString().filter { $0 != "=" }
            return String(text.dropFirst(shift == 0 ? 0 : 4).dropLast(2))
        }
        return [mark, bytes.map { String(format: "%02x", $0) }.joined()]
            + [bytes.map { String(format: "\\%03o", $0) }.joined()] + base64
    }()

    /// How the secret is written in a text; `nil` where it is not there.
    private static func form(in text: String) -> String? {
        // The bytes of a `Data` or of an array, one after the other.
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.joined(separator: " ")
        if numbers.contains(bytes.prefix(5).map { String($0) }.joined(separator: " ")) { return "bytes" }
        return forms.first { text.lowercased().contains($0.lowercased()) }
    }

    private static func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var inside = ""
        dump(["in": [Optional.some(value) as Any]], to: &inside)
        return [
            String(describing: value), String(reflecting: value), "\(value)", "\([value])",
            "\(Optional.some(value) as Any)", dumped, inside,
            (value as? any Error)?.localizedDescription ?? "",
        ]
    }

    private func check(_ text: String, _ what: String, line: UInt = #line) {
        guard let form = Self.form(in: text) else { return }
        XCTFail("\(what) shows it as \(form): \(text.prefix(600))", line: line)
    }

    private func checkTexts(of value: Any, _ what: String, line: UInt = #line) {
        for text in Self.texts(of: value) { check(text, "\(what), \(type(of: value)),", line: line) }
    }

    func testTheLookingFindsWhatIsThere() async {
        struct Leak { let password = SecretTextTests.bytes }
        for leak: Any in [Self.mark, Leak(), ["a": Self.bytes.base64EncodedString()]] {
            XCTAssertNotNil(Self.texts(of: leak).lazy.compactMap { Self.form(in: $0) }.first)
        }
    }

    // MARK: Places

    private static let params: Params = [
        "password": mark, "user": ["access_token": [mark]], "page": 2,
        "note": JSONValue.object(["pin": .string(mark)]).canonicalText,
    ]
    private static let headers: HTTPFields = [
        "Authorization": "Bearer \(mark)", "Cookie": "a=\(mark)", "X-Api-Key": mark, "Accept": "text/plain",
        "Location": "https://h/cb?token=\(mark)",
    ]
    private static let url = URL(
        string: "https://u:\(mark)@api.example.com/a?access_token=\(mark)&page=2#token=\(mark)")!
    private static let json = Data(params.canonical.utf8)
    private static let form = MultipartForm([
        .text(mark, named: "password"), .data(Data([0xFF, 0x00]) + bytes, named: "pin", fileName: "pin.bin"),
        .data(Data([0x89, 0xFF]), named: "photo", fileName: "a.png"),
    ])

    private func request(_ encoding: any ParamEncoding) throws -> APIRequest {
        var request = APIRequest(
            url: Self.url, method: .post, headers: Self.headers,
            credential: .digest(user: "casa", password: Self.mark))
        try encoding.encode(Self.params, into: &request)
        return request
    }

    private var requests: [APIRequest] {
        get throws {
            let encodings: [any ParamEncoding] = [
                .query, .form, .json, .multipart(Self.form), .raw(Self.json, contentType: "application/json"),
                .raw(
                    Data([0xFF, 0x00]) + Data("token=\(Self.mark)".utf8),
                    contentType: "application/octet-stream"),
            ]
            return try encodings.map(request)
        }
    }

    func testDescriptionsOfValuesContainNoSecret() async throws {
        let response = TransportResponse(
            url: Self.url, status: 200, headers: Self.headers, body: .data(Self.json))
        var configuration = CurlConfiguration()
        configuration.proxy = .url(URL(string: "http://casa:\(Self.mark)@proxy.example.com")!)
        var tls = TLSPolicy()
        let file = URL(fileURLWithPath: "/a/b.p12")
        tls.clientCertificate = .pkcs12(file, passphrase: Self.mark)
        configuration.tls = tls
        let values: [(String, Any)] = [
            ("params", Self.params), ("JSON", Self.params.jsonValue),
            ("a member", Self.params["user"] as Any),
            ("headers", Self.headers), ("a field", Self.headers[0]), ("a response", response),
            ("a body", response.body), ("a request body", RequestBody.data(Self.json)), ("a form", Self.form),
            ("a part", Self.form.parts[0]),
            ("an encoding", RawParamEncoding.raw(Self.json, contentType: "a/b")),
            ("an encoding", MultipartParamEncoding.multipart(Self.form)), ("TLS", tls),
            ("a certificate", tls.clientCertificate as Any),
            ("PEM", TLSPolicy.ClientCertificate.pem(certificate: file, key: file, passphrase: Self.mark)),
            ("a configuration", configuration), ("a proxy", configuration.proxy),
            ("a credential", HTTPCredential.basic(user: "a", password: Self.mark)),
            ("a signer", FieldSigner(key: SigningKey(Self.mark))), ("a lock", Locked<String?>(Self.mark)),
            ("tokens", SessionTokens(accessToken: Self.mark, refreshToken: Self.mark)),
            (
                "a session",
                { () -> TokenSession in
                    let session = TokenSession(store: MemoryCredentialStore())
                    session.adopt(SessionTokens(accessToken: Self.mark))
                    return session
                }()
            ),
            (
                "a cached response",
                CachedResponse(
                    url: Self.url, status: 200, headers: Self.headers, body: Self.json, storedAt: Date(),
                    version: Self.mark)
            ),
            ("an event", ServerSentEvent(data: Self.params.canonical)),
            ("a redirect", Redirect(status: 307, source: Self.url, request: try requests[0])),
        ]
        for (what, value) in values { checkTexts(of: value, what) }
        for request in try requests { checkTexts(of: request, "a request") }
    }

    func testCurlLinesContainNoSecret() async throws {
        for request in try requests {
            check(request.curlCommand(), "a cURL line")
            XCTAssertTrue(request.curlCommand(redaction: .none).contains(Self.mark), "by name it is shown")
        }
    }

    func testACompressedBodyIsNotInACurlLine() async throws {
        var request = try request(.json)
        request.headers["Content-Encoding"] = "x-reversed"
        request.body = .data(Data(Self.json.reversed()))
        let reversed = String(Self.mark.reversed())
        XCTAssertFalse(request.curlCommand().contains(reversed))
        XCTAssertTrue(request.curlCommand(redaction: .none).contains(reversed))
    }

    // MARK: Calls

    /// All that happens to calls that fail, in the end, because of a server that sends the secret back.
    func testCallsAndWhatIsToldOfThem() async throws {
        let answers = [
            #"{"token":"\#(Self.mark)","code":1,"msg":"no token=\#(Self.mark)"}"#, "token: \(Self.mark)",
            #"{"id":"password=\#(Self.mark)","name":1}"#,
        ]
        for answer in answers.prefix(FullLength.rounds(1, of: 3)) {
            for status in [200, 500] {
                let transport = ClosureTransport(json: answer, status: status, headers: Self.headers)
                let stack = Stack(transport) { rules in
                    rules.extraHeaders = ["Authorization": Self.mark]
                    rules.extraParams = ["sign": Self.mark]
                    rules.envelope = Envelope(code: "code", success: [0], message: "msg")
                    rules.intercept = { $0.attempt == 1 ? .retry : .report }
                    rules.session = TokenSession(store: MemoryCredentialStore())
                    rules.session?.adopt(SessionTokens(accessToken: Self.mark))
                }
                let (events, lines) = (Locked<[APICallEvent]>([]), Locked<[String]>([]))
                stack.proxy.addObserver(Collector(events: events))
                stack.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
                let manager = stack.manager(ProductManager())
                manager.ownHeaders = ["X-Token": Self.mark]
                manager.methodName = "users/{token}/{password}.json"
                manager.requestType = .post
                let params = Self.params.merging(["token": Self.mark])
                let thrown = await failure(manager, with: params)
                let error = try XCTUnwrap(thrown)
                checkTexts(of: error, "an error")
                checkTexts(of: error.kind, "its kind")
                for value: Any in [manager, stack.proxy, stack.service, transport, stack] {
                    checkTexts(of: value, "what a call was made with")
                }
                XCTAssertGreaterThan(events.current.count, 5)
                for event in events.current {
                    checkTexts(of: event, "an event")
                    checkTexts(of: event.kind, "what an event says")
                    checkTexts(of: event.call, "its call")
                    checkTexts(of: FailureContext(call: event.call, error: error), "a failure")
                }
                XCTAssertGreaterThan(lines.current.count, 4)
                for line in lines.current { check(line, "a log line") }
                let sent = try XCTUnwrap(transport.requests.first)
                XCTAssertTrue(sent.url.absoluteString.contains("users/\(Self.mark)/\(Self.mark).json"))
                XCTAssertTrue(lines.current.joined().contains("users/<redacted>/<redacted>"))
                XCTAssertTrue(sent.curlCommand(redaction: .none).contains("users/\(Self.mark)/"))
            }
        }
    }

    private struct Collector: APICallObserver {
        let events: Locked<[APICallEvent]>
        func observe(_ event: APICallEvent) { events.withLock { $0.append(event) } }
    }

    /// A value that a path was filled with is known on a redirect too, however its bytes are written there.
    func testASecretInAPathIsHiddenWhereverThePathLeads() async throws {
        let first = try await DiscreteNetworkingTests.request(
            .stub("users/{token}/x", ["token": "s3cr3t/1", "id": 1]))
        XCTAssertEqual(first.description, "GET https://api.example.com/users/<redacted>/x?id=1")
        let answer = TransportResponse(url: first.url, status: 302, headers: ["Location": "/v2/s3cr3t%2f1/y"])
        let next = try RedirectFollower(transport: ClosureTransport(json: ""), redaction: .standard)
            .next(after: answer, to: first)
        XCTAssertEqual(next?.description, "GET https://api.example.com/v2/<redacted>/y")
        let plain = try await DiscreteNetworkingTests.request(.stub("users/{id}", ["id": "s3cr3t"]))
        XCTAssertEqual(plain.description, "GET https://api.example.com/users/s3cr3t")
        let line = plain.curlCommand(redaction: .standard.adding("id"))
        XCTAssertTrue(line.contains("/users/<redacted>'"), line)
    }
}
