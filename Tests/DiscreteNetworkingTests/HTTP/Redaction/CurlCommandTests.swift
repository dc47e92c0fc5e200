import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// A cURL line runs when pasted: each is run by a real shell and a real curl.
final class CurlCommandTests: XCTestCase {
    private func run(_ request: APIRequest, _ server: LoopbackServer) async throws -> LoopbackRequest {
        #if os(macOS) || os(Linux)
            let line = request.curlCommand(redaction: .none)
            XCTAssertFalse(line.contains("\n"))
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/bash")
            shell.arguments = ["-c", line + " --silent --show-error --noproxy '*' --max-time 20"]
            shell.standardOutput = FileHandle.nullDevice
            try shell.run()
            shell.waitUntilExit()
            XCTAssertEqual(shell.terminationStatus, 0, line)
            return try XCTUnwrap(server.requests.last)
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }

    func testCommandSendsTheSameBody() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let bodies: [RequestBody] = [
            .none, .data(Data()), .data(Data(#"{"a":"it's $HOME `ls` \\ \"x\" 青"}"#.utf8)),
            .data(Data("@etc".utf8)),
            .data(Data("a\nb\r\n%s\u{1}".utf8)), .data(Data((0...255).map { UInt8($0) })),
        ]
        for body in bodies {
            let request = APIRequest(
                url: URL(string: "a/%5B1%5D/b'c?x=%20%26&y[]=%7B1,2%7D", relativeTo: server.baseURL)?
                    .absoluteURL
                    ?? server.baseURL,
                method: "POST",
                headers: [
                    "X-Quote": #"it's "$(id)" \ ;"#, "X-Empty": "", "Accept": "*/*", "User-Agent": "test",
                ], body: body)
            let seen = try await run(request, server)
            XCTAssertEqual(seen.method, "POST")
            XCTAssertEqual(
                "http://\(server.baseURL.host ?? ""):\(server.port)" + seen.target, request.url.absoluteString
            )
            XCTAssertEqual(seen.header("X-Quote"), #"it's "$(id)" \ ;"#)
            XCTAssertEqual(seen.header("X-Empty"), "")
            if case .data(let data) = body {
                XCTAssertEqual(Data(seen.body), data)
            } else {
                XCTAssertEqual(seen.body.count, 0)
            }
            XCTAssertNil(seen.header("Content-Type"))
        }
    }

    /// A mark that joins the quote before it to one character still is no part of it for a shell.
    func testNoMarkHidesAQuoteFromTheShell() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let trap = FileManager.default.temporaryDirectory.appendingPathComponent("trap-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: trap) }
        for mark in ["\u{301}", "\u{FE0F}", "\u{20E3}", "\u{200D}", "\u{E0020}"] {
            let text = "a'\(mark); touch \(trap.path); echo '\(mark)"
            let request = APIRequest(
                url: server.baseURL, method: .post, headers: ["X-Trap": text], body: .data(Data(text.utf8)))
            let seen = try await run(request, server)
            XCTAssertEqual(Data(seen.body), Data(text.utf8), mark.debugDescription)
            XCTAssertEqual(seen.header("X-Trap").map { Data($0.utf8) }, Data(text.utf8))
            // No file is read for a body that begins so.
            let at = Data("@\(mark)/etc/hostname".utf8)
            let other = try await run(APIRequest(url: server.baseURL, method: .post, body: .data(at)), server)
            XCTAssertEqual(Data(other.body), at)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: trap.path))
    }

    func testHeadAndOtherMethods() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        for method in ["HEAD", "GET", "DELETE", "PATCH", "REPORT"] as [HTTPMethod] {
            let seen = try await run(APIRequest(url: server.baseURL, method: method), server)
            XCTAssertEqual(seen.method, method.rawValue)
        }
    }

    func testNoSecretIsInALine() {
        let secret = "s3cr3t"
        let bodies = [
            #"{"password":"\#(secret)","user":{"token":["\#(secret)"]}}"#, "pwd=\(secret)&a=b",
            "{\n\"sign\":\"\(secret)\"\n}",
        ]
        for body in bodies {
            let request = APIRequest(
                url: URL(string: "https://u:\(secret)@api.example.com/a?access_token=\(secret)&b=1")!,
                method: .post,
                headers: ["Authorization": "Bearer \(secret)", "Cookie": "a=\(secret)", "X-Api-Key": secret],
                body: .data(Data(body.utf8)))
            let line = request.curlCommand()
            XCTAssertFalse(line.contains(secret), line)
            XCTAssertFalse(
                line.contains(Data(secret.utf8).map { "\\" + String($0, radix: 8) }.joined()), line)
            XCTAssertTrue(request.curlCommand(redaction: .none).contains(secret))
        }
    }
}
