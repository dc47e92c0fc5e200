import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// A server that repeats a secret in places of a response that have no name.
@MainActor
final class RepeatedSecretTests: XCTestCase {
    private let recorder = TrafficRecorder()
    private nonisolated static let token = "aKTb7Zq0-very-secret"

    private func stack(
        _ transport: any Transport, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> Stack {
        Stack(transport, change).observed(by: recorder)
    }

    private func checkArchive(_ secret: String = token, line: UInt = #line) {
        let archive = recorder.archive()
        let summaries = recorder.changes(since: 0, atMost: 9).map { recorder.summary(of: $0).canonicalText }
        for text in [archive.canonicalText] + summaries {
            let place = text.range(of: secret).map { text[..<$0.upperBound].suffix(200) }
            XCTAssertNil(place, line: line)
        }
        for entry in archive["log"]?["entries"]?.array ?? [] {
            let text = entry["response"]?["content"]?["text"]?.string ?? ""
            let bytes = Data(base64Encoded: text) ?? Data()
            XCTAssertFalse(String(decoding: bytes, as: UTF8.self).contains(secret), line: line)
        }
    }

    /// The hop's path, the media type, the reason phrase, and the name and path of a cookie.
    func testASecretIsHiddenInPlacesOfAResponseWithoutAName() async throws {
        let token = Self.token
        let server = try serve { request in
            guard request.path == "/products/detail" else {
                var response = LoopbackResponse(
                    status: 500, reason: "Bad \(token)", body: .data(Data("{}".utf8)))
                response.headers = [
                    ("Content-Type", "text/\(token); charset=\(token)"),
                    ("Set-Cookie", "\(token)=1; Path=/\(token)"),
                ]
                return response
            }
            return .redirect(to: "/hop/\(token)/x;\(token)?\(token)#\(token)", status: 307)
        }
        let stack = stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.extraHeaders = ["Authorization": "Bearer \(token)"]
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(recorder.archive()["log"]?["entries"]?.array?.count, 2)
        XCTAssertFalse("\(error as Any) \(error?.localizedDescription ?? "")".contains(token))
        checkArchive()
    }

    /// A body that the service wrote itself, whose secrets no param names.
    func testASecretOfARawBodyIsHiddenWhereTheServerRepeatsIt() async throws {
        let token = Self.token
        for body in [
            "<a><wsse:Password>\(token)</wsse:Password></a>", "a=1&token=\(token)",
            #"{"a":[{"token":["\#(token)"]}]}"#,
            #"<login pass="\#(token)"/>"#,
            "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n\(token)\r\n--b--\r\n",
        ] {
            recorder.removeAll()
            let stack = stack(ClosureTransport(json: #"{"echo":"\#(token)"}"#, status: 500)) {
                $0.adapt = { request, _ in
                    request.method = .post
                    request.headers["Content-Type"] = "text/plain"
                    request.body = .data(Data(body.utf8))
                }
            }
            let error = await failure(stack.manager(ProductManager()))
            XCTAssertFalse(error?.description.contains(token) ?? true, body)
            checkArchive()
        }
    }

    /// Basic credentials are sent in Base64, and repeated as text.
    func testAPasswordOfBasicAuthenticationIsHiddenAsText() async throws {
        let header = "Basic " + Data("casa:hunter2-hunter2".utf8).base64EncodedString()
        let stack = stack(ClosureTransport(json: #"{"echo":"for hunter2-hunter2"}"#, status: 500)) {
            $0.extraHeaders = ["Authorization": header]
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertFalse(error?.description.contains("hunter2") ?? true)
        checkArchive("hunter2")
    }
}
