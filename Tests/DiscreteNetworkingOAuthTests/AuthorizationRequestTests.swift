import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOAuth

/// The URL that the browser opens, and the one that it comes back with.
final class AuthorizationRequestTests: XCTestCase {
    private func client(
        authorization: String = "https://login.example.com/authorize?tenant=7", issuer: String? = nil,
        sendsIssuer: Bool = false, scope: String = "orders profile"
    ) -> OAuthClient {
        OAuthClient(
            "app", redirectURL: URL(string: "https://shop.example.com/callback?x=1"), scope: scope,
            at: OAuthServer(
                issuer: issuer, sendsIssuer: sendsIssuer, authorization: URL(string: authorization)!,
                token: URL(string: "https://login.example.com/token")!))
    }

    /// RFC 7636 appendix B.
    func testTheChallengeIsThatOfTheRFC() {
        XCTAssertEqual(
            AuthorizationRequest.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    func testEachRequestHasAStateAndAVerifierOfItsOwn() throws {
        let requests = try (0..<100).map { _ in try client().authorizationRequest() }
        XCTAssertEqual(Set(requests.flatMap { [$0.state, $0.verifier] }).count, 200)
        for request in requests {
            XCTAssertNotNil(
                request.verifier.range(of: "^[A-Za-z0-9_-]{43}$", options: .regularExpression))
            XCTAssertFalse("\(request) \(request.url)".contains(request.verifier))
        }
    }

    func testTheURLHasAllParams() throws {
        let request = try client().authorizationRequest(params: [
            "prompt": "login+x", "state": "mine", "code_challenge_method": "plain", "tenant": "8",
        ])
        let parts = try XCTUnwrap(URLComponents(url: request.url, resolvingAgainstBaseURL: true))
        let items = Dictionary(
            (parts.queryItems ?? []).map { ($0.name, [$0.value ?? ""]) }, uniquingKeysWith: +)
        XCTAssertEqual(
            items,
            [
                "tenant": ["8"], "prompt": ["login+x"], "response_type": ["code"], "client_id": ["app"],
                "redirect_uri": ["https://shop.example.com/callback?x=1"], "scope": ["orders profile"],
                "state": [request.state], "code_challenge_method": ["S256"],
                "code_challenge": [AuthorizationRequest.challenge(of: request.verifier)],
            ])
        XCTAssertTrue(request.url.absoluteString.contains("prompt=login%2Bx"))
    }

    func testAClientWithoutARedirectURLHasNoRequest() {
        let client = OAuthClient("tv", at: client().server)
        XCTAssertThrowsError(try client.authorizationRequest()) {
            guard case OAuthError.missing(.redirectURL) = $0 else { return XCTFail("\($0)") }
            XCTAssertTrue($0.localizedDescription.contains("OAuthClient.init"))
        }
    }

    /// The user and password of Basic authentication, as `urllib.parse.quote_plus` of Python encodes them.
    func testIdentifierAndSecretOfTheHeaderAreFormEncoded() {
        let client = OAuthClient(
            "a b:%*", authentication: .header(secret: "p+q&é~-_."), at: client().server)
        XCTAssertEqual(client.params, [:])
        let value = client.headers["Authorization"]?.dropFirst("Basic ".count) ?? ""
        XCTAssertEqual(
            Data(base64Encoded: String(value)).map { String(decoding: $0, as: UTF8.self) },
            "a+b%3A%25*:p%2Bq%26%C3%A9%7E-_.")
    }

    // MARK: Responses

    private func outcome(_ query: String, issuer: String? = nil, sendsIssuer: Bool = false) throws -> String {
        let client = client(issuer: issuer, sendsIssuer: sendsIssuer)
        let request = try client.authorizationRequest()
        let text = query.replacingOccurrences(of: "STATE", with: request.state)
        let url = try XCTUnwrap(
            URL(string: text.hasPrefix("?") ? "https://shop.example.com/callback" + text : text))
        do {
            return try request.code(in: url, from: client.server)
        } catch {
            switch error {
            case .refused(let code, let description): return "refused \(code) \(description ?? "-")"
            case .wrongState: return "state"
            case .wrongIssuer(let issuer): return "issuer \(issuer ?? "-")"
            case .notAResponse: return "not a response"
            default: return "\(error)"
            }
        }
    }

    func testOnlyTheResponseToTheRequestHasACode() throws {
        let issuer = "https://login.example.com"
        let cases: [(String, String)] = [
            ("?code=c1&state=STATE", "c1"), ("?code=c%2F1&state=STATE&x=2", "c/1"),
            ("?code=c1", "state"), ("?code=c1&state=other", "state"), ("?code=c1&state=", "state"),
            ("?state=STATE", "not a response"), ("?code=&state=STATE", "not a response"),
            ("?code=c1&code=c2&state=STATE", "not a response"),
            ("?code=c1&state=STATE&state=other", "not a response"),
            ("?error=access_denied&error_description=No%0Away&state=STATE", "refused access_denied Noway"),
            (
                "?error=access_denied&error_description=Not+by%2Bme%E2%80%AE%E2%80%A8%1b%5b31m&state=STATE",
                "refused access_denied Not by+me[31m"
            ),
            ("?error=access_denied&state=other", "state"),
            ("https://evil.example.com/callback?code=c1&state=STATE", "not a response"),
            ("https://shop.example.com/other?code=c1&state=STATE", "not a response"),
            ("http://shop.example.com/callback?code=c1&state=STATE", "not a response"),
            ("https://shop.example.com:444/callback?code=c1&state=STATE", "not a response"),
        ]
        for (query, expected) in cases { XCTAssertEqual(try outcome(query), expected, query) }
        XCTAssertEqual(
            try outcome("?code=c1&state=STATE&iss=https://login.example.com", issuer: issuer), "c1")
        XCTAssertEqual(
            try outcome("?code=c1&state=STATE&iss=https://evil.example.com", issuer: issuer),
            "issuer https://evil.example.com")
        XCTAssertEqual(try outcome("?code=c1&state=STATE", issuer: issuer), "c1")
        XCTAssertEqual(try outcome("?code=c1&state=STATE", sendsIssuer: true), "issuer -")
        XCTAssertEqual(
            try outcome("?code=c1&state=STATE&iss=https://evil.example.com", sendsIssuer: true),
            "issuer https://evil.example.com")
        XCTAssertEqual(try outcome("?code=c1&state=STATE", issuer: issuer, sendsIssuer: true), "issuer -")
    }

    func testNoTextShowsASecret() throws {
        let client = OAuthClient(
            "app", authentication: .header(secret: "s3cr3t"), redirectURL: URL(string: "a:/b"),
            at: client().server)
        var text = "\(client) \(try client.authorizationRequest())"
        dump(client, to: &text)
        dump(try client.authorizationRequest(), to: &text)
        XCTAssertFalse(text.contains("s3cr3t"), text)
    }
}
