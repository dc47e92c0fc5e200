import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What the framework notes about a request holds although the app's code assigns another request.
final class RequestNotesTests: XCTestCase {
    /// The same request as far as a transport sees it.
    private static func copy(_ request: APIRequest) -> APIRequest {
        APIRequest(
            url: request.url, method: request.method, headers: request.headers, body: request.body,
            timeout: request.timeout, destination: request.destination)
    }

    private struct ReplacingSigner: RequestSigner {
        func sign(_ request: inout APIRequest, for call: APICall) throws { request = copy(request) }
    }

    private struct Replacing: BodyTransform, APIPlugin {
        func encode(_ request: inout APIRequest, for call: APICall) throws { request = copy(request) }
        func adapt(_ request: inout APIRequest, for call: APICall) { request = copy(request) }
    }

    /// Builds a request with everything that is noted.
    private func built(
        _ change: (inout TestService.Rules) -> Void, plugins: [any APIPlugin] = []
    ) async throws -> APIRequest {
        let session = TokenSession(apply: { tokens, request in
            request = Self.copy(request)
            request.headers["X-Token"] = tokens.accessToken
        })
        session.adopt(SessionTokens(accessToken: "t", user: "casa"))
        let stack = Stack(ClosureTransport(json: "{}")) {
            $0.baseURL = URL(string: "http://api.example.com")!
            $0.plainHTTPHosts = ["api.example.com"]
            $0.redirects = .refuse
            $0.varying = VaryingFields(headers: ["X-Nonce"])
            $0.cookies = CookieJar()
            $0.session = session
            change(&$0)
        }
        for plugin in plugins { stack.proxy.plugins.append(plugin) }
        var overrides = APICall.Overrides(encoding: .json)
        overrides.hidesResponses = true
        let call = APICall.stub(
            "users/{token}", ["token": "s3cret-7", "a": 1], method: .post, overrides: overrides)
        return try await stack.proxy.draft(call)
    }

    private func assertNotes(
        _ notes: RequestNotes, _ message: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertEqual(
            (notes.origin as? APIRequest.Origin)?.methodName, "users/{token}", message, file: file, line: line
        )
        guard case .refuse = notes.redirectPolicy else {
            return XCTFail("\(message): redirects are followed", file: file, line: line)
        }
        XCTAssertNoThrow(
            try notes.plainHTTP.check(URL(string: "http://api.example.com/")!), message, file: file,
            line: line)
        XCTAssertNotNil(notes.cookies, message, file: file, line: line)
        XCTAssertEqual(notes.identity.varying.headers, ["X-Nonce"], message, file: file, line: line)
        XCTAssertNotNil(notes.identity.session, message, file: file, line: line)
        XCTAssertEqual(notes.pathParams, ["token": "s3cret-7"], message, file: file, line: line)
        XCTAssertEqual(notes.bodyParams, ["a": 1], message, file: file, line: line)
        XCTAssertTrue(notes.hidesResponse, message, file: file, line: line)
    }

    @MainActor
    func testASessionThatCannotApplyItsTokensEndsTheCall() async {
        let session = TokenSession(apply: { _, _ in throw InvalidRequestError("The token has no key.") })
        session.adopt(SessionTokens(accessToken: "t", user: "casa"))
        let stack = Stack(ClosureTransport(json: teapot)) { $0.session = session }
        let error = await failure(stack.manager(ProductManager()))
        guard case .invalidRequest(let reason) = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains("The token has no key."), reason)
    }

    func testNotesStayIfTheAppAssignsAnotherRequest() async throws {
        assertNotes(try await built({ _ in }).notes, "the session")
        assertNotes(
            try await built { $0.adapt = { request, _ in request = Self.copy(request) } }.notes, "the service"
        )
        assertNotes(try await built({ _ in }, plugins: [Replacing()]).notes, "a plugin")
        assertNotes(try await built { $0.signer = ReplacingSigner() }.notes, "the signer")
        let transformed = try await built { $0.transform = { _ in Replacing() } }.notes
        assertNotes(transformed, "the body transform")
        XCTAssertEqual(transformed.identity.plain?.data, Data(#"{"a":1}"#.utf8))
    }

    func testParamsThatTheAppEncodesAreNoted() async throws {
        let other = try await built {
            $0.adapt = { request, _ in try FormParamEncoding().encode(["password": "p"], into: &request) }
        }
        XCTAssertEqual(other.notes.bodyParams, ["password": "p"])
        XCTAssertEqual(other.notes.emptyBody, .form)
        XCTAssertTrue(other.notes.hidesResponse)
    }

    func testPathParamsAreRedactedBeforeTheRequestIsSent() async throws {
        let texts = Locked<[String]>([])
        _ = try await built {
            $0.adapt = { request, _ in texts.withLock { [text = request.description] in $0.append(text) } }
        }
        XCTAssertEqual(texts.current, ["POST http://api.example.com/users/<redacted>"])
    }
}
