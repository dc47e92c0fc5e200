import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What is written down, and what never is.
@MainActor
final class APILoggerTests: XCTestCase {
    private func lines(
        _ detail: APILogger.Detail, redaction: Redaction = .standard, transport: ClosureTransport,
        params: Params = ["id": 7, "token": "s3cr3t"]
    ) async -> [String] {
        let lines = Locked<[String]>([])
        let stack = Stack(transport) { rules in
            rules.extraHeaders = ["Authorization": "Bearer s3cr3t"]
            rules.intercept = { $0.attempt == 1 ? .retry : .report }
        }
        stack.proxy.addObserver(
            APILogger(detail, redaction: redaction) { line in lines.withLock { $0.append(line) } })
        _ = await failure(stack.manager(ProductManager()), with: params)
        return lines.current
    }

    func testNewProxyHasNoObservers() {
        XCTAssertTrue(ApiProxy(transport: ClosureTransport(json: "")).currentObservers.isEmpty)
    }

    func testOneLineForEachCall() async {
        let lines = await lines(.summary, transport: ClosureTransport(json: teapot))
        XCTAssertEqual(lines.count, 1)
        XCTAssertTrue(lines[0].hasPrefix("test/products/detail #"), lines[0])
        let answer = #" GET 200, \#(teapot.utf8.count) bytes, [0-9]+\.[0-9] ms$"#
        XCTAssertNotNil(lines[0].range(of: answer, options: .regularExpression), lines[0])
        let failed = await self.lines(.summary, transport: ClosureTransport(json: "", status: 404))
        XCTAssertEqual(failed.count, 1)
        XCTAssertTrue(failed[0].contains("404"), failed[0])
    }

    /// What a file or a stream brings is not counted, and what a plugin brings has no status.
    func testOneLineForWhatHasNoBodyInMemory() async throws {
        struct Recovering: APIPlugin {
            func recover(from failure: FailureContext) async -> (any Sendable)? {
                Product(id: 7, name: "spare")
            }
        }
        let lines = Locked<[String]>([])
        let log: @Sendable (Stack) -> Void = { stack in
            stack.proxy.addObserver(APILogger { line in lines.withLock { $0.append(line) } })
        }
        let transport = ClosureTransport { TransportResponse(url: $0.url, status: 200) }
        let file = Stack(transport)
        log(file)
        let folder = try temporaryFolder()
        _ = try await file.manager(DownloadManager(to: folder.file("a"))).load()
        let other = Stack(ClosureTransport(json: "", status: 500))
        log(other)
        other.proxy.plugins = [Recovering()]
        _ = try await other.manager(ProductManager()).load(with: ["id": 7])
        for (line, end) in zip(lines.current, [" GET 200, [0-9.]+ ms$", " GET recovered, [0-9.]+ ms$"]) {
            XCTAssertNotNil(line.range(of: end, options: .regularExpression), line)
        }
        XCTAssertEqual(lines.current.count, 2)
    }

    func testFullDetailWithoutSecrets() async {
        let json = #"{"id":7,"name":"x","access_token":"s3cr3t","list":[{"password":"s3cr3t"}]}"#
        let transport = ClosureTransport(
            json: json, status: 500, headers: ["Set-Cookie": "a=s3cr3t", "X-Kind": "tea"])
        let lines = await lines(.full, transport: transport)
        XCTAssertEqual(lines.filter { $0.contains(" > curl ") }.count, 2)
        XCTAssertEqual(lines.filter { $0.contains(" < HTTP 500") && $0.contains("X-Kind: tea") }.count, 2)
        XCTAssertTrue(lines.contains { $0.contains("again after 0.0 s") })
        XCTAssertFalse(lines.joined().contains("s3cr3t"), lines.joined(separator: "\n"))
        let open = await self.lines(.full, redaction: .none, transport: transport)
        XCTAssertTrue(open.joined().contains("s3cr3t"), "by name it is shown")
    }

    /// What the request has under a secret name is known, so that it is hidden wherever the server repeats it.
    func testASecretThatTheServerRepeatsIsHidden() async throws {
        let secrets: Params = [
            "token": "s3cr3t/+\"é1", "id": 7, "user": ["password": ["pass-w0rd!"]], "cvv": 317,
        ]
        let repeats = [
            #"{"error":"no user s3cr3t/+\"é1 here"}"#, #"{"error":"no user s3cr3t\/+\"é1 here"}"#,
            "/users/s3cr3t%2F%2B%22%C3%A91/x", "as3cr3t/+\"é1b", "you sent pass-w0rd!, and 317.",
            "key: hdr-k3y-1",
            "Bearer t0ken-0123", "extra-s1gn", String(repeating: "x", count: 4090) + "s3cr3t/+\"é1",
        ]
        for text in repeats {
            for status in [200, 500] {
                let transport = ClosureTransport(
                    json: text, status: status, headers: ["X-Path": "at \(text)"])
                let lines = Locked<[String]>([])
                let stack = Stack(transport) { rules in
                    rules.extraHeaders = ["Authorization": "Bearer t0ken-0123", "X-Api-Key": "hdr-k3y-1"]
                    rules.extraParams = ["sign": "extra-s1gn"]
                }
                stack.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
                let manager = stack.manager(ProductManager())
                manager.methodName = "users/{token}/x"
                manager.requestType = .post
                let thrown = await failure(manager, with: secrets)
                let error = try XCTUnwrap(thrown)
                for line in lines.current + ["\(error)", error.localizedDescription, error.snippet ?? ""] {
                    for secret in ["s3cr3t", "pass-w0rd", "t0ken-0123", "hdr-k3y", "s1gn", " 317"] {
                        XCTAssertFalse(
                            line.contains(secret), "\(secret) of \(text.prefix(60)): \(line.prefix(400))")
                    }
                }
            }
        }
    }

    /// Short values stand in many words.
    func testAShortSecretIsHiddenOnlyAsAWord() async {
        let transport = ClosureTransport(json: #"{"error":"7 of 1772 apples, #7"}"#, status: 500)
        let lines = await lines(.full, transport: transport, params: ["pin": 7])
        XCTAssertTrue(lines.contains { $0.contains("<redacted> of 1772 apples, #<redacted>") }, "\(lines)")
        let open = await self.lines(.full, redaction: .none, transport: transport, params: ["pin": 7])
        XCTAssertTrue(open.contains { $0.contains("7 of 1772 apples, #7") }, "\(open)")
    }

    func testNoServerCanForgeALine() async {
        let transport = ClosureTransport(
            json: "a\nstorefront/x #1 GET ok\u{1B}[2J\r\u{2028}\u{2029}\u{202E}\u{2066}b", status: 500)
        let lines = await lines(.full, transport: transport)
        for line in lines {
            XCTAssertFalse(
                line.unicodeScalars.contains {
                    $0.value < 0x20 || "\u{2028}\u{2029}\u{202E}\u{2066}".unicodeScalars.contains($0)
                }, line.debugDescription)
        }
    }

    func testALargeBodyIsCut() async {
        let transport = ClosureTransport(json: String(repeating: "x", count: 100_000), status: 500)
        let lines = await lines(.full, transport: transport)
        XCTAssertTrue(lines.allSatisfy { $0.count < 5000 })
    }
}
