import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// A server that means harm does not decide how long a log gets, how much a recording keeps, or what a secret is.
@MainActor
final class HostileTrafficTests: XCTestCase {
    private let recorder = TrafficRecorder()

    private func stack(
        _ transport: any Transport, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> Stack {
        Stack(transport, change).observed(by: recorder)
    }

    private func pagesText(_ archive: JSONValue) -> String {
        (archive["log"]?["pages"] ?? .null).canonicalText
    }

    func testALongMessageOfTheBackendIsCutInTextsAndRecordings() async throws {
        let message = String(repeating: "茶", count: 100_000)
        let stack = stack(ClosureTransport(json: #"{"code":"\#(message)","msg":"\#(message)"}"#)) {
            $0.envelope = Envelope(code: "code", message: "msg")
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.businessMessage, message, "the app sees what was sent")
        for text in [error?.localizedDescription, error?.userMessage, error.map { "\($0.kind)" }] {
            XCTAssertLessThan(text?.unicodeScalars.count ?? .max, 5000)
        }
        XCTAssertLessThan(pagesText(recorder.archive()).utf8.count, 50_000)
        XCTAssertLessThan(recorder.changes(since: 0, atMost: 1).first?.bytes ?? .max, 700_000)
    }

    func testALongValueOrKeyInAnErrorOfDecodingIsCut() async throws {
        let long = String(repeating: "x", count: 1_000_000)
        for json in [#"{"id":"\#(long)","name":""}"#, #"[{"\#(long)":"a"}]"#] {
            let manager = stack(ClosureTransport(json: json)).manager(TestManager<[[String: Int]]>())
            let error = await failure(manager)
            XCTAssertLessThan(error?.localizedDescription.utf8.count ?? .max, 5000)
            XCTAssertLessThan(error.map { "\($0.kind)" }?.utf8.count ?? .max, 5000)
        }
    }

    /// Tokens may be long, such as a JSON Web Token with many claims.
    func testALongTokenThatTheServerRepeatsIsHiddenWhereABodyIsCut() async throws {
        let token = (0..<600).map { "claim\($0)" }.joined()
        let json = #"{"code":1,"debug":"\#(token)"}"#
        let stack = stack(ClosureTransport(json: json, status: 500)) {
            $0.extraHeaders = ["Authorization": "Bearer \(token)"]
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertFalse(error?.snippet?.contains("claim0") ?? true, error?.snippet ?? "")
    }

    /// The server repeats what it was sent in every place that it fills.
    func testSecretsThatAServerEchoesAreRedactedInAnArchive() async throws {
        let (token, password) = ("aKTb7Zq0-very-secret", "hunter2-hunter2")
        let server = try serve { request in
            if request.path == "/again" {
                let body = Data([0, 1, 2] + Array("x \(token) y \(password)".utf8))
                return .data(body, status: 500)
            }
            return .redirect(to: "/again?debug=\(token)&p=\(password)", status: 307)
                .adding("X-Debug", token).adding("X-Echo", "got \(password)")
                .adding("Set-Cookie", "sid=\(token); Path=/\(password)")
                .adding("Link", "<https://x.example/\(token)>; rel=next")
        }
        let stack = stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.extraHeaders = ["Authorization": "Bearer \(token)"]
        }
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        _ = await failure(manager, with: ["password": password])
        let text = recorder.archive().canonicalText
        XCTAssertEqual(recorder.archive()["log"]?["entries"]?.array?.count, 2)
        for secret in [token, password, Data(token.utf8).base64EncodedString()] {
            XCTAssertFalse(text.contains(secret), secret)
        }
        for entry in recorder.archive()["log"]?["entries"]?.array ?? [] {
            let content = entry["response"]?["content"]
            guard content?["encoding"] == "base64" else { continue }
            let bytes = content?["text"]?.string.flatMap { Data(base64Encoded: $0) } ?? Data()
            XCTAssertFalse(String(decoding: bytes, as: UTF8.self).contains(token))
            XCTAssertFalse(String(decoding: bytes, as: UTF8.self).contains(password))
        }
        let summary = recorder.changes(since: 0, atMost: 9).map { recorder.summary(of: $0).canonicalText }
        XCTAssertFalse(summary.joined().contains(token))
        XCTAssertFalse(summary.joined().contains(password))
    }
}
