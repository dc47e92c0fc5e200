import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Tokens: how they are read, applied and hidden.
final class SessionTokensTests: XCTestCase {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func answer(_ json: String) throws -> TokenResponse {
        try JSONDecoder().decode(TokenResponse.self, from: Data(json.utf8))
    }

    /// The example of RFC 6749 section 5.1.
    func testTheAnswerOfATokenEndpoint() throws {
        let answer = try answer(
            #"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example","expires_in":3600,"refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","example_parameter":"example_value"}"#
        )
        let tokens = SessionTokens(answer, receivedAt: now)
        XCTAssertEqual(
            tokens,
            SessionTokens(
                accessToken: "2YotnFZFEjr1zCsicMWpAA", refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA",
                expiry: now + 3600,
                tokenType: "example"))
    }

    func testTokenResponsesWithMissingOrUnusualMembersAreRead() throws {
        let bare = try answer(#"{"access_token":"a"}"#)
        XCTAssertEqual(SessionTokens(bare), SessionTokens(accessToken: "a"))
        XCTAssertEqual(try answer(#"{"access_token":"a","expires_in":"3600"}"#).expiresIn, 3600)
        XCTAssertEqual(try answer(#"{"access_token":"a","expires_in":null}"#).expiresIn, nil)
        XCTAssertEqual(try answer(#"{"access_token":"a","scope":"x y"}"#).scope, "x y")
    }

    /// "Never", as some servers write it.
    func testALifetimeThatNoCalendarHasIsNoExpiry() throws {
        for (seconds, expiry) in [("1e308", nil), ("\"99999999999\"", nil), ("-5", now), ("60", now + 60)] {
            let answer = try answer(#"{"access_token":"a","expires_in":\#(seconds)}"#)
            XCTAssertEqual(SessionTokens(answer, receivedAt: now).expiry, expiry, seconds)
        }
    }

    func testADecoderMayConvertTheKeys() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let json =
            #"{"access_token":"a","token_type":"mac","expires_in":60,"refresh_token":"r","scope":"x"}"#
        let answer = try decoder.decode(TokenResponse.self, from: Data(json.utf8))
        XCTAssertEqual(answer, try self.answer(json))
        XCTAssertEqual(answer.expiresIn, 60)
        XCTAssertEqual(answer.refreshToken, "r")
        XCTAssertThrowsError(
            try decoder.decode(TokenResponse.self, from: Data(#"{"token_type":"mac"}"#.utf8))
        ) {
            XCTAssertTrue("\($0)".contains("access_token"), "\($0)")
        }
    }

    func testNonsenseIsRefused() {
        for json in [
            #"{}"#, #"{"access_token":""}"#, #"{"access_token":7}"#,
            #"{"access_token":"a","expires_in":"soon"}"#, #"{"access_token":"a","expires_in":"nan"}"#,
            #"{"access_token":"a","expires_in":[]}"#,
        ] {
            XCTAssertThrowsError(try answer(json), json)
        }
    }

    func testTokensSurviveTheStore() throws {
        let tokens = SessionTokens(accessToken: "a", refreshToken: "r", expiry: now, tokenType: "mac")
        let data = try JSONEncoder().encode(tokens)
        XCTAssertEqual(try JSONDecoder().decode(SessionTokens.self, from: data), tokens)
    }

    // MARK: Applied

    @MainActor
    func testTheHeaderOfRFC6750() async throws {
        let stack = SessionStack()
        _ = try await stack.manager().load()
        XCTAssertEqual(stack.transport.requests[0].headers["Authorization"], "Bearer token-1")
    }

    @MainActor
    func testAHeaderThatIsThereAlreadyStays() async {
        let stack = SessionStack()
        let manager = stack.manager()
        manager.ownHeaders = ["authorization": "Custom 1"]
        _ = await failure(manager)
        XCTAssertEqual(stack.transport.requests[0].headers.values(of: "Authorization"), ["Custom 1"])
    }

    @MainActor
    func testRequestHasNoTokenWithoutALogin() async {
        let stack = SessionStack(isLoggedIn: false)
        _ = await failure(stack.manager())
        XCTAssertNil(stack.transport.requests[0].headers["Authorization"])
    }

    @MainActor
    func testAnotherPlaceForTheToken() async {
        let session = TokenSession(
            apply: { tokens, request in request.headers["X-Token"] = tokens.accessToken })
        let stack = SessionStack(session)
        let adapted = Locked<String?>(nil)
        stack.stack.change { rules in
            rules.adapt = { request, _ in adapted.current = request.headers["X-Token"] }
        }
        _ = await failure(stack.manager())
        XCTAssertEqual(adapted.current, "token-1", "adapt comes after it")
    }

    @MainActor
    func testAnotherTypeIsNotSentAsBearer() async {
        let stack = SessionStack(TokenSession())
        stack.session.adopt(SessionTokens(accessToken: "s3cr3t", tokenType: "mac"))
        let error = await failure(stack.manager())
        guard case .invalidRequest(let reason)? = error?.kind else { return XCTFail("\(error as Any)") }
        XCTAssertTrue(reason.contains("\"mac\""), reason)
        XCTAssertFalse(reason.contains("s3cr3t"))
        XCTAssertEqual(stack.transport.requests.count, 0)
    }

    @MainActor
    func testATokenThatIsNoHeaderIsRefusedWithoutBeingShown() async {
        let stack = SessionStack(TokenSession())
        stack.session.adopt(SessionTokens(accessToken: "s3cr3t\r\nX: y"))
        let error = await failure(stack.manager())
        guard case .invalidRequest? = error?.kind else { return XCTFail("\(error as Any)") }
        XCTAssertEqual(error?.description.contains("s3cr3t"), false)
    }

    // MARK: Hidden

    @MainActor
    func testNoTextShowsAToken() async throws {
        let lines = Locked<[String]>([])
        let see = { @Sendable (value: Any) in
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            lines.withLock { [text] in $0.append(text) }
        }
        let events = Locked<[APICallEvent]>([])
        struct Collector: APICallObserver {
            let events: Locked<[APICallEvent]>
            func observe(_ event: APICallEvent) { events.withLock { $0.append(event) } }
        }
        let tokens = SessionTokens(accessToken: "s3cr3t", refreshToken: "s3cr3t", expiry: now)
        let session = TokenSession { _, _ in
            throw APIError(
                .business(code: 1, message: "token=s3cr3t"), call: .stub("x"), redaction: .standard)
        }
        let stack = SessionStack(session) { request, _ in
            TransportResponse(
                request, json: #"{"id":"expired_access_token","access_token":"s3cr3t"}"#, status: 401)
        }
        stack.stack.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
        stack.stack.proxy.addObserver(Collector(events: events))
        stack.session.adopt(tokens)
        stack.stack.change { rules in
            rules.intercept = { failure in
                XCTAssertEqual(failure.request?.headers["Authorization"], "Bearer s3cr3t")
                see(failure)
                see(failure.call)
                see(failure.request as Any)
                return .report
            }
        }
        let error = await failure(stack.manager())
        see(error as Any)
        guard case .refreshFailed? = error?.kind else { return XCTFail("\(error as Any)") }
        see(tokens)
        see(try answer(#"{"access_token":"s3cr3t","refresh_token":"s3cr3t"}"#))
        see(session)
        see(session.snapshot)
        see(LoginOutcome.loggedIn(tokens))
        for event in events.current { see(event) }
        XCTAssertGreaterThan(lines.current.count, 15)
        XCTAssertEqual(lines.current.filter { $0.contains("s3cr3t") }, [])
    }
}
