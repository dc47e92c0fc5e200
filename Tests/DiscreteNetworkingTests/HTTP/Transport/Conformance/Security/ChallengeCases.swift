import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Who the client says it is, and that nothing about it is remembered behind one's back.
extension SecurityConformance {
    func testAChallengeWithoutACredentialEndsAsA401AtOnce() async throws {
        for challenge in [
            "Basic realm=\"shop\"", "Bearer", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\"", "Negotiate",
            "NTLM",
            "Odd", "", "Basic realm=\"a\", Digest realm=\"b\", nonce=\"c\"",
        ] {
            let server = try serve { _ in .text("log in", status: 401).adding("WWW-Authenticate", challenge) }
            for delivery in Delivery.allCases {
                let response = try await transport.fetch(server.request(), as: delivery).get()
                XCTAssertEqual(response.status, 401)
                XCTAssertEqual(response.text, "log in")
                XCTAssertEqual(response.headers["WWW-Authenticate"], challenge)
            }
            XCTAssertEqual(server.requests.count, 2, challenge)
        }
    }

    func testAProxysChallengeIsAResponse() async throws {
        let server = try serve { _ in .text("no", status: 407).adding("Proxy-Authenticate", "Basic realm=x") }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.status, 407)
        XCTAssertEqual(server.requests.count, 1)
    }

    func testAChallengeAfterAHeaderOfOnesOwnEndsAsA401() async throws {
        let server = try serve { _ in .text("no", status: 401).adding("WWW-Authenticate", "Basic realm=x") }
        let request = server.request(
            "/", .post, headers: ["Authorization": "Basic abc"], body: .data(Data([1])))
        let response = try await transport.send(request)
        XCTAssertEqual(response.status, 401)
        XCTAssertEqual(server.requests.map { $0.header("Authorization") }, ["Basic abc"])
    }

    func testAUserInTheURLIsNotSentToAnybody() async throws {
        let server = try serve { _ in .text("ok") }
        let url = try XCTUnwrap(URL(string: "http://casa:pw@127.0.0.1:\(server.port)/"))
        switch await transport.outcome(of: APIRequest(url: url)) {
        case .success: XCTAssertEqual(server.requests.map { $0.target }, ["/"])
        case .failure(let error): XCTAssertFalse("\(error)".contains("pw"))
        }
    }

    // MARK: Cookies and caches

    private static func setsCookie(_ request: LoopbackRequest) -> LoopbackResponse {
        .text(request.header("Cookie") ?? "none").adding("Set-Cookie", "session=abc; Path=/; Max-Age=3600")
    }

    func testCookiesOfOneResponseAreNotSentInTheNext() async throws {
        let server = try serve(Self.setsCookie)
        for _ in 0..<3 {
            let response = try await transport.send(server.request())
            XCTAssertEqual(response.text, "none")
            XCTAssertEqual(response.headers["Set-Cookie"], "session=abc; Path=/; Max-Age=3600")
        }
        let other = try await Self.subject.make(.init()).send(server.request())
        XCTAssertEqual(other.text, "none")
    }

    func testACookieHeaderOfOnesOwnIsSentAsItIs() async throws {
        let server = try serve(Self.setsCookie)
        for value in ["a=1", "b=2; session=mine", "a=\"x y\"; a=2"] {
            let response = try await transport.send(server.request(headers: ["Cookie": value]))
            XCTAssertEqual(response.text, value)
        }
    }

    func testCacheableResponsesAreAskedForAgain() async throws {
        let server = try serve { _ in .text("ok").adding("Cache-Control", "max-age=3600").adding("ETag", "v")
        }
        for _ in 0..<3 { _ = try await transport.send(server.request()) }
        XCTAssertEqual(server.requests.count, 3)
        XCTAssertTrue(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
    }

    func testANotModifiedOfOnesOwnConditionComesBack() async throws {
        let server = try serve { $0.header("If-None-Match") == "\"v\"" ? .status(304) : .text("new") }
        let response = try await transport.send(server.request(headers: ["If-None-Match": "\"v\""]))
        XCTAssertEqual(response.status, 304)
    }
}
