import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange over real sockets.
final class URLSessionTransportTests: XCTestCase {
    private let transport = URLSessionTransport()

    private func body(_ response: TransportResponse) -> Data {
        if case .data(let data) = response.body { data } else { Data() }
    }

    private func kind(_ request: APIRequest) async -> TransportError.Kind? {
        await Self.kind(request, over: transport)
    }

    private static func kind(_ request: APIRequest, over transport: URLSessionTransport) async
        -> TransportError.Kind?
    {
        do {
            _ = try await transport.send(request)
            return nil
        } catch {
            return (error as? TransportError)?.kind
        }
    }

    func testMethodsHeadersAndBodiesArriveAsGiven() async throws {
        let server = try LoopbackServer { request in .data(request.body) }
        defer { server.stop() }
        let bytes = Data((0...255).map { UInt8($0) })
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as [HTTPMethod] {
            let sends = method != .get && method != .head
            let response = try await transport.send(
                APIRequest(
                    url: server.baseURL.appendingPathComponent("a"), method: method,
                    headers: ["X-One": "1", "X-Two": "two, words", "Content-Type": "application/x-test"],
                    body: sends ? .data(bytes) : .none))
            let seen = try XCTUnwrap(server.requests.last)
            XCTAssertEqual(seen.method, method.rawValue)
            XCTAssertEqual(seen.header("X-One"), "1")
            XCTAssertEqual(seen.header("X-Two"), "two, words")
            XCTAssertEqual(seen.header("Content-Type"), "application/x-test")
            XCTAssertEqual(seen.body, sends ? bytes : Data())
            XCTAssertEqual(body(response), sends ? bytes : Data(), "\(method)")
        }
        XCTAssertEqual(server.acceptedConnections, 1, "one connection is kept alive for all")
    }

    func testEveryFinalStatusIsAResponse() async throws {
        let server = try LoopbackServer { request in
            .text(request.path, status: Int(request.path.dropFirst()) ?? 0).adding("X-Dup", "a").adding(
                "x-dup", "b")
        }
        defer { server.stop() }
        for status in Array(200...599) {
            guard
                let response = try? await transport.send(
                    APIRequest(url: server.baseURL.appendingPathComponent("\(status)")))
            else {
                XCTFail("\(status)")
                continue
            }
            XCTAssertEqual(response.status, status)
            XCTAssertEqual(
                response.headers.values(of: "X-DUP").joined(separator: ", ").split(separator: ",").count, 2)
            // URLSession on Linux drops the body of a redirect; see the README.
            if ![204, 205, 304].contains(status), ![301, 302, 303, 305, 306, 307, 308].contains(status) {
                XCTAssertEqual(String(decoding: body(response), as: UTF8.self), "/\(status)")
            }
        }
    }

    func testAnInterimResponseIsNotTheAnswer() async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.text("done")
            response.interim = [100, 103]
            return response
        }
        defer { server.stop() }
        let response = try await transport.send(APIRequest(url: server.baseURL))
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(body(response), Data("done".utf8))
    }

    func testChunkedLengthlessAndLargeBodies() async throws {
        let large = LoopbackResponse.pattern(count: 10_000_000)
        let server = try LoopbackServer(routes: [
            .get("/chunked") { _ in LoopbackResponse(body: .chunks([Data("a".utf8), Data("b".utf8)])) },
            .get("/close") { _ in LoopbackResponse(body: .untilClose(Data("all".utf8))) },
            .get("/large") { _ in LoopbackResponse(body: .generated(count: large.count)) },
            .post("/large") { request in .text("\(request.body == large)") },
        ])
        defer { server.stop() }
        for (path, expected) in [("chunked", Data("ab".utf8)), ("close", Data("all".utf8)), ("large", large)]
        {
            let response = try await transport.send(
                APIRequest(url: server.baseURL.appendingPathComponent(path)))
            XCTAssertTrue(body(response) == expected, path)
        }
        let up = try await transport.send(
            APIRequest(url: server.baseURL.appendingPathComponent("large"), method: .post, body: .data(large))
        )
        XCTAssertEqual(body(up), Data("true".utf8))
    }

    func testTheSizeLimitIsExactAndCountsDecompressedBytes() async throws {
        // 1,000,000 zero bytes, compressed a thousandfold by gzip.
        let bomb = try Self.gzip(Data(count: 1_000_000))
        XCTAssertLessThan(bomb.count, 2000)
        let server = try LoopbackServer(routes: [
            .get("/plain") { _ in LoopbackResponse(body: .generated(count: 1000)) },
            .get("/bomb") { _ in LoopbackResponse.data(bomb).adding("Content-Encoding", "gzip") },
        ])
        defer { server.stop() }
        func request(_ path: String, _ limit: Int) -> APIRequest {
            APIRequest(url: server.baseURL.appendingPathComponent(path), destination: .memory(limit: limit))
        }
        let plain = try await transport.send(request("plain", 1000))
        XCTAssertEqual(body(plain).count, 1000)
        let plainKind = await kind(request("plain", 999))
        XCTAssertEqual(plainKind, .responseTooLarge(limit: 999))
        let whole = try await transport.send(request("bomb", 1_000_000))
        XCTAssertEqual(body(whole).count, 1_000_000)
        let bombKind = await kind(request("bomb", 999_999))
        XCTAssertEqual(bombKind, .responseTooLarge(limit: 999_999))
    }

    private static func gzip(_ data: Data) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-c"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        DispatchQueue.global().async {
            input.fileHandleForWriting.write(data)
            try? input.fileHandleForWriting.close()
        }
        let compressed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return compressed
    }

    func testEachWayToFailHasItsKind() async throws {
        let server = try LoopbackServer(routes: [
            .get("/close") { _ in .fault(.close) }, .get("/reset") { _ in .fault(.reset) },
            .get("/malformed") { _ in .fault(.malformedHead) },
            .get("/cut") { _ in .text(String(repeating: "x", count: 1000)).failing(with: .cut(atByte: 500)) },
        ])
        defer { server.stop() }
        let refused = await kind(
            APIRequest(url: URL(string: "http://127.0.0.1:\(try LoopbackServer.refusedPort())/")!))
        XCTAssertEqual(refused, .cannotConnect)
        let unknown = await kind(APIRequest(url: URL(string: "http://no-such-host.invalid/")!))
        XCTAssertEqual(unknown, .cannotFindHost)
        for path in ["close", "reset", "malformed", "cut"] {
            let failed = await kind(APIRequest(url: server.baseURL.appendingPathComponent(path)))
            XCTAssertNotNil(failed, path)
        }
    }

    func testAChallengeWithoutACredentialEndsAsA401() async throws {
        let server = try LoopbackServer { request in
            .text("no", status: 401).adding("WWW-Authenticate", "\(request.path.dropFirst()) realm=\"shop\"")
        }
        defer { server.stop() }
        for scheme in ["Basic", "Digest", "Bearer"] {
            let response = try await transport.send(
                APIRequest(url: server.baseURL.appendingPathComponent(scheme)))
            XCTAssertEqual(response.status, 401, scheme)
        }
    }

    func testWhatItCannotDoIsSaid() async throws {
        let url = URL(string: "http://127.0.0.1:1/")!
        let file = URL(fileURLWithPath: "/tmp/x")
        for request in [
            APIRequest(url: url, body: .data(Data("x".utf8))),
            APIRequest(url: url, method: .post, body: .file(file)),
            APIRequest(
                url: url, method: .post, body: .stream(length: nil) { AsyncThrowingStream { $0.finish() } }),
            APIRequest(url: url, destination: .file(file)), APIRequest(url: url, destination: .stream),
        ] {
            let ending = await kind(request)
            XCTAssertEqual(ending, .unsupported)
        }
    }

    func testNoCookieIsKeptByDefaultAndOnesOwnConfigurationIsObeyed() async throws {
        let server = try LoopbackServer { _ in .text("ok").adding("Set-Cookie", "a=1; Path=/") }
        defer { server.stop() }
        for _ in 0..<2 { _ = try await transport.send(APIRequest(url: server.baseURL)) }
        XCTAssertNil(server.requests.last?.header("Cookie"))

        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "shop"]
        let own = URLSessionTransport(configuration: configuration)
        for _ in 0..<2 { _ = try await own.send(APIRequest(url: server.baseURL)) }
        XCTAssertEqual(server.requests.last?.header("X-App"), "shop")
        XCTAssertEqual(server.requests.last?.header("Cookie"), "a=1")
    }

    func testProgressIsTold() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(body: .generated(count: 300_000)) }
        defer { server.stop() }
        let told = Locked<[TransferProgress]>([])
        var request = APIRequest(url: server.baseURL)
        request.onProgress = { progress in told.withLock { $0.append(progress) } }
        _ = try await transport.send(request)
        XCTAssertEqual(told.current.last?.received, 300_000)
        XCTAssertEqual(told.current.map(\.received), told.current.map(\.received).sorted())
    }

    // MARK: Cancelling

    func testCancellingAtEveryStageIsPromptAndFreesTheConnection() async throws {
        let never = LoopbackGate()
        let server = try LoopbackServer(routes: [
            .get("/head") { _ in .text("late").delayed(until: never) },
            .get("/body") { _ in
                .text(String(repeating: "x", count: 5000)).failing(with: .stall(atByte: 2000))
            },
            .get("/redirect") { _ in .redirect(to: "/head") },
        ])
        defer {
            never.open()
            server.stop()
        }
        for path in ["head", "body", "redirect"] {
            for _ in 0..<10 {
                let count = server.requests.count
                let request = APIRequest(url: server.baseURL.appendingPathComponent(path))
                let task = Self.task(request, over: transport)
                await server.waitForRequests(count + 1)
                task.cancel()
                let ending = await task.value
                XCTAssertTrue(ending == .cancelled || path == "redirect", path)
            }
        }
        // A handler that waits for its gate holds its connection until the gate opens.
        never.open()
        await server.waitForOpenConnections(atMost: 1)
    }

    func testCancellingBeforeAnythingIsSent() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let task = Self.task(APIRequest(url: server.baseURL), over: transport)
        task.cancel()
        let ending = await task.value
        XCTAssertTrue(ending == .cancelled || ending == nil)
    }

    private static func task(
        _ request: APIRequest, over transport: URLSessionTransport
    ) -> Task<TransportError.Kind?, Never> {
        Task { await kind(request, over: transport) }
    }
}
