import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOAuth

/// What an authorization server may send.
final class HostileOAuthServerTests: XCTestCase {
    func testRedirectsOfTheTokenEndpointAreNotFollowed() async throws {
        for status in [301, 302, 307, 308] {
            let other = try LoopbackServer { _ in .json(#"{"access_token":"t"}"#) }
            let target = other.baseURL.absoluteString
            let server = try LoopbackServer { _ in .redirect(to: target, status: status) }
            defer {
                server.stop()
                other.stop()
            }
            let client = OAuthClient(
                "app", authentication: .body(secret: "s3cr3t"),
                at: OAuthServer(authorization: server.baseURL, token: server.baseURL))
            do {
                _ = try await client.tokens(["grant_type": "x"], over: ApiProxy(services: ServiceFactory()))
                XCTFail("followed")
            } catch {
                guard case .call(let error) = error else { return XCTFail("\(error)") }
                XCTAssertEqual(error.kind, .http(status: status))
            }
            XCTAssertEqual(other.requests.count, 0)
        }
    }

    func testAResponseWithoutATokenIsInvalid() async throws {
        for (json, text) in [
            ("{}", "access_token"), (#"{"access_token":7}"#, "access_token"), ("[]", "RFC 6749"),
            (#"{"access_token":""}"#, "access_token"),
            (#"{"access_token":"t","expires_in":"x"}"#, "expires_in"),
        ] {
            let server = try LoopbackServer { _ in .json(json) }
            defer { server.stop() }
            let client = OAuthClient(
                "app", at: OAuthServer(authorization: server.baseURL, token: server.baseURL))
            do {
                _ = try await client.tokens([:], over: ApiProxy(services: ServiceFactory()))
                XCTFail(json)
            } catch {
                guard case .invalidResponse(let reason) = error else { return XCTFail("\(error)") }
                XCTAssertTrue(reason.contains(text), "\(json): \(reason)")
            }
        }
    }

    /// RFC 6749 section 6.
    func testARefreshTokenThatIsNotReplacedIsKept() async throws {
        for (json, kept) in [
            (#"{"access_token":"n"}"#, "r"), (#"{"access_token":"n","refresh_token":"s"}"#, "s"),
        ] {
            let server = try LoopbackServer { _ in .json(json) }
            defer { server.stop() }
            let client = OAuthClient(
                "app", at: OAuthServer(authorization: server.baseURL, token: server.baseURL))
            let old = SessionTokens(accessToken: "o", refreshToken: "r", user: "ann")
            let new = try await client.refresh(old, over: ApiProxy(services: ServiceFactory()))
            XCTAssertEqual(new.accessToken, "n")
            XCTAssertEqual(new.refreshToken, kept)
            XCTAssertEqual(new.user, "ann")
            let form = (server.requests.first?.body).map { String(decoding: $0, as: UTF8.self) } ?? ""
            XCTAssertTrue(form.contains("refresh_token=r"), form)
        }
    }

    private func failure(
        _ body: String, status: Int = 200,
        of act: @MainActor (OAuthClient, ApiProxy) async throws -> Void
    ) async throws -> any Error {
        let server = try LoopbackServer { request in
            let echo = String(decoding: request.body, as: UTF8.self)
            return .json(body.replacingOccurrences(of: "ECHO", with: echo), status: status)
        }
        defer { server.stop() }
        let client = OAuthClient(
            "app",
            at: OAuthServer(
                authorization: server.baseURL, token: server.baseURL, deviceAuthorization: server.baseURL))
        do {
            try await act(client, ApiProxy(services: ServiceFactory()))
        } catch {
            return error
        }
        XCTFail("no error for \(body)")
        throw CancellationError()
    }

    /// A session would keep such a token, and no call could be sent with it.
    func testATokenThatNoHeaderCanHaveIsInvalid() async throws {
        for json in [
            #"{"access_token":"a\r\nX-Evil: 1"}"#, #"{"access_token":"é"}"#,
            #"{"access_token":"a","refresh_token":"\u0000"}"#,
        ] {
            let error = try await failure(json) { client, proxy in
                _ = try await client.tokens([:], over: proxy)
            }
            guard case OAuthError.invalidResponse(let reason) = error else { return XCTFail("\(error)") }
            XCTAssertTrue(reason.contains("appendix A"), reason)
        }
    }

    /// The token endpoint of GitHub sends its errors with status 200.
    func testAnErrorWithStatus200IsARefusal() async throws {
        let error = try await failure(#"{"error":"bad_verification_code"}"#) { client, proxy in
            _ = try await client.tokens(["grant_type": "x"], over: proxy)
        }
        guard case OAuthError.refused("bad_verification_code", nil) = error else {
            return XCTFail("\(error)")
        }
        for code in ["invalid_grant", "bad_refresh_token"] {
            let spent = try await failure(#"{"error":"\#(code)"}"#) { client, proxy in
                _ = try await client.refresh(
                    SessionTokens(accessToken: "a", refreshToken: "r"), over: proxy)
            }
            XCTAssertEqual(spent as? SessionProblem, .invalid)
        }
    }

    func testAServerThatRepeatsTheRequestShowsNoSecret() async throws {
        for status in [200, 400] {
            let body = #"{"error":"invalid_request","error_description":"v3rySecret ECHO \u202e\u2028x"}"#
            let error = try await failure(body, status: status) { client, proxy in
                _ = try await client.tokens(
                    ["grant_type": "x", "device_code": "v3rySecret"], over: proxy)
            }
            let text = "\(error) \(error.localizedDescription)"
            XCTAssertTrue(text.contains("invalid_request"), text)
            XCTAssertFalse(text.contains("v3rySecret"), text)
            XCTAssertFalse(text.unicodeScalars.contains { [0x202E, 0x2028].contains($0.value) }, text)
        }
    }

    func testACodeThatNobodyCanEnterIsInvalid() throws {
        for code in ["AB\u{1B}[31m", "AB\nCD", "AB\u{202E}CD", String(repeating: "A", count: 65)] {
            let members: JSONValue = [
                "device_code": "d", "user_code": .string(code), "expires_in": 60,
                "verification_uri": "https://login.example.com/device",
            ]
            XCTAssertThrowsError(try DeviceAuthorization(members, at: Date())) {
                guard case OAuthError.invalidResponse = $0 else { return XCTFail("\($0)") }
            }
        }
    }

    /// The server asks for an hour between two questions.
    func testADeviceWaitsNoLongerThanItsCodesAreValid() async throws {
        let clock = TestClock()
        let page = URL(string: "https://login.example.com/")!
        let client = OAuthClient("tv", at: OAuthServer(authorization: page, token: page))
        let device = try DeviceAuthorization(
            [
                "device_code": "d", "user_code": "ABCD", "expires_in": 6, "interval": 3600,
                "verification_uri": "https://login.example.com/device",
            ], at: clock.now)
        let proxy = ApiProxy(services: ServiceFactory(), clock: clock)
        let question = Task { @MainActor in
            do {
                _ = try await client.tokens(for: device, over: proxy)
                return "tokens"
            } catch {
                return "\(error)"
            }
        }
        await clock.waitForSleepers()
        XCTAssertEqual(clock.pauses, [6])
        clock.advance(by: 3600)
        let outcome = await question.value
        XCTAssertEqual(outcome, "expired")
    }
}
