import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// How a service finds out what a backend has against a token.
final class SessionProblemTests: XCTestCase {
    @MainActor
    private static func failure(_ status: Int, _ headers: HTTPFields = [:], json: String = "") async throws
        -> FailureContext
    {
        let seen = Locked<FailureContext?>(nil)
        let stack = Stack(ClosureTransport(json: json, status: status, headers: headers)) { rules in
            rules.intercept = { failure in
                seen.current = failure
                return .report
            }
        }
        _ = await DiscreteNetworkingTests.failure(stack.manager(ProductManager()))
        return try XCTUnwrap(seen.current)
    }

    func testStatusNamesTheProblem() async throws {
        let unauthorized = try await Self.failure(401)
        let forbidden = try await Self.failure(403)
        XCTAssertEqual(SessionProblem.byStatus(unauthorized), .expired)
        XCTAssertNil(SessionProblem.byStatus(forbidden))
        XCTAssertEqual(SessionProblem.byStatus(forbidden, [403: .invalid]), .invalid)
    }

    /// The examples of RFC 6750 section 3, and what servers make of them.
    func testChallengeNamesTheProblem() async throws {
        for (challenge, problem) in [
            (#"Bearer realm="example""#, .expired),
            (
                #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#,
                .expired
            ),
            (#"bearer ERROR=invalid_token"#, .expired),
            (#"Bearer error="insufficient_scope", scope="a b""#, .forbidden),
            (#"Bearer error="invalid_request""#, nil),
            (#"Basic realm="shop""#, nil),
            (#"Basic realm="a, Bearer error=\"invalid_token\"""#, nil),
            (#"Negotiate YII=, Bearer error="insufficient_scope""#, .forbidden),
            (#"Bearer"#, .expired),
            (#", ,Bearer realm = "x" , error = "insufficient_scope""#, .forbidden),
            (#"Bearer error="insufficient_sc\ope"#, .forbidden),
            ("", nil), ("=", nil), (",", nil), ("\"", nil), ("Bearer =", .expired),
        ] as [(String, SessionProblem?)] {
            let failure = try await Self.failure(401, ["WWW-Authenticate": challenge])
            XCTAssertEqual(SessionProblem.byChallenge(failure), problem, challenge)
        }
        let none = try await Self.failure(401)
        XCTAssertNil(SessionProblem.byChallenge(none))
        let other = try await Self.failure(400, ["WWW-Authenticate": "Bearer"])
        XCTAssertNil(SessionProblem.byChallenge(other))
    }

    func testProblemIsFoundAmongSeveralChallenges() async throws {
        let headers: HTTPFields = [
            "WWW-Authenticate": "Digest nonce=\"1\"",
            "www-authenticate": "Bearer error=\"insufficient_scope\"",
        ]
        let failure = try await Self.failure(403, headers)
        XCTAssertEqual(SessionProblem.byChallenge(failure), .forbidden)
    }

    func testBodyNamesTheProblem() async throws {
        for (json, problem) in [
            (#"{"id":"expired_access_token"}"#, .expired), (#"{"id":"illegal_access_token"}"#, .invalid),
            (#"{"id":"no_permission_for_this_api"}"#, .forbidden), (#"{"id":"something_else"}"#, nil),
            (#"{"id":["expired_access_token"]}"#, nil), (#"{"other":"expired_access_token"}"#, nil),
            ("", nil), ("<html>", nil), (#"{"id":"expired_access_token""#, nil),
        ] as [(String, SessionProblem?)] {
            let failure = try await Self.failure(400, json: json)
            XCTAssertEqual(SessionProblem.byBody(failure, at: "id"), problem, json)
        }
        let numbered = try await Self.failure(400, json: #"{"error":{"code":40102}}"#)
        XCTAssertEqual(SessionProblem.byBody(numbered, at: "error.code", [40102: .expired]), .expired)
    }

    func testTheDefaultAsksTheChallengeThenTheStatus() async throws {
        let service = TestService()
        let plain = try await Self.failure(401)
        let scope = try await Self.failure(
            403, ["WWW-Authenticate": #"Bearer error="insufficient_scope""#])
        let broken = try await Self.failure(500)
        XCTAssertEqual(service.sessionProblem(in: plain), .expired)
        XCTAssertEqual(service.sessionProblem(in: scope), .forbidden)
        XCTAssertNil(service.sessionProblem(in: broken))
    }
}
