import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

/// What a server, a network or a request can do wrong, and what the caller is told.
final class URLSessionFaultTests: XCTestCase {
    private let transport = URLSessionTransport()

    func testARefusedPort() async throws {
        let port = try LoopbackServer.refusedPort()
        let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)/"))
        let kind = await transport.failure(APIRequest(url: url))
        XCTAssertEqual(kind, .cannotConnect)
    }

    func testAnUnknownHost() async throws {
        let url = try XCTUnwrap(URL(string: "http://no-such-host.invalid/"))
        let kind = await transport.failure(APIRequest(url: url))
        XCTAssertEqual(kind, .cannotFindHost)
    }

    func testAServerThatDoesNotAnswer() async throws {
        for fault in [LoopbackFault.close, .reset, .abort(atByte: 10), .cut(atByte: 10)] {
            let server = try serve { _ in LoopbackResponse.text("never").failing(with: fault) }
            let kind = await transport.failure(server.request())
            let kinds: [TransportError.Kind?] = [.connectionLost, .badResponse]
            XCTAssertTrue(kinds.contains(kind), "\(fault): \(String(describing: kind))")
        }
    }

    func testAnInterimResponseAloneIsNoAnswer() async throws {
        for status in [100, 103] {
            let server = try serve { _ in .fault(.raw(Data("HTTP/1.1 \(status) Wait\r\n\r\n".utf8))) }
            let outcome = await transport.outcome(of: server.request())
            XCTAssertNotNil(outcome.error, "\(status)")
        }
    }

    func testACutBodyIsNeverAShortSuccess() async throws {
        let body = Data(repeating: 0x41, count: 1000)
        for fault in [LoopbackFault.cut(atByte: 500), .abort(atByte: 500)] {
            for shape in [LoopbackResponse.Body.data(body), .chunks([body.prefix(300), body.prefix(700)])] {
                let server = try serve { _ in LoopbackResponse(body: shape).failing(with: fault) }
                let kind = await transport.failure(server.request())
                XCTAssertEqual(kind, .connectionLost, "\(fault), \(shape)")
            }
        }
    }

    func testALengthThatLies() async throws {
        let server = try serve { _ in
            var response = LoopbackResponse.text("short").adding("Content-Length", "50")
            response.closesConnection = true
            return response
        }
        let outcome = await transport.outcome(of: server.request())
        XCTAssertNotNil(outcome.error)
    }

    func testWhatIsNoHTTP() async throws {
        let heads = [
            "~~ this is no status line ~~\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 abc OK\r\n\r\n",
        ]
        for head in heads {
            let server = try serve { _ in .fault(.raw(Data(head.utf8))) }
            let outcome = await transport.outcome(of: server.request())
            XCTAssertNotNil(outcome.error, head)
        }
    }

    func testBrokenGzip() async throws {
        let server = try serve { _ in LoopbackResponse.text("not zipped").adding("Content-Encoding", "gzip") }
        let outcome = await transport.outcome(of: server.request())
        XCTAssertNotNil(outcome.error)
    }

    func testABasicChallengeEndsAsA401() async throws {
        for challenge in ["Basic realm=\"shop\"", "Bearer", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\""] {
            let server = try serve { _ in
                .text("log in", status: 401).adding("WWW-Authenticate", challenge)
            }
            let response = try await transport.send(server.request())
            XCTAssertEqual(response.status, 401)
            XCTAssertEqual(response.text, "log in")
            XCTAssertEqual(response.headers["WWW-Authenticate"], challenge)
            XCTAssertEqual(server.requests.count, 1)
        }
    }

    func testAChallengeAfterAHeaderOfOnesOwnEndsAsA401() async throws {
        let server = try serve { _ in .text("no", status: 401).adding("WWW-Authenticate", "Basic realm=x") }
        let request = server.request(
            "/", .post, headers: ["Authorization": "Basic abc"], body: .data(Data([1])))
        let response = try await transport.send(request)
        XCTAssertEqual(response.status, 401)
        XCTAssertEqual(server.requests.map { $0.header("Authorization") }, ["Basic abc"])
    }

    func testCancellingAroundAChallengeEndsOnce() async throws {
        let server = try serve { _ in .text("log in", status: 401).adding("WWW-Authenticate", "Basic realm=x")
        }
        let request = server.request()
        var random = FixedRandom(seed: 401)
        for _ in 0..<300 {
            let task = Task { [transport] in await transport.outcome(of: request) }
            for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
            task.cancel()
            switch await task.value {
            case .success(let response): XCTAssertEqual(response.status, 401)
            case .failure(let error): XCTAssertEqual(error.kind, .cancelled)
            }
        }
        let response = try await transport.send(request)
        XCTAssertEqual(response.text, "log in", "the transport goes on working")
    }

    func testWhatThisTransportCannotDoIsSaid() async throws {
        let server = try serve { _ in .text("ok") }
        let data = RequestBody.data(Data("x".utf8))
        var toFile = server.request()
        toFile.destination = .file(URL(fileURLWithPath: "/nonexistent/place"))
        let stream = RequestBody.stream(length: 1) { AsyncThrowingStream { $0.finish() } }
        let requests = [
            server.request("/", .get, body: data), server.request("/", .head, body: data),
            server.request("/", .get, body: .file(URL(fileURLWithPath: "/etc/hostname"))),
            server.request("/", .get, body: stream), toFile,
        ]
        for request in requests {
            let error = await transport.outcome(of: request).error
            XCTAssertEqual(error?.kind, .unsupported)
            XCTAssertGreaterThan(error?.message.count ?? 0, 20)
        }
        XCTAssertEqual(server.requests.count, 0, "nothing was sent")
    }

    func testAnEmptyBodyOfAGetIsNone() async throws {
        let server = try serve { _ in .text("ok") }
        let response = try await transport.send(server.request("/", .get, body: .data(Data())))
        XCTAssertEqual(response.text, "ok")
    }

    func testErrorTextsHoldNeitherURLNorSecret() async throws {
        let secret = "s3cr3t-in-the-query"
        let headers: HTTPFields = ["Authorization": "Bearer \(secret)"]
        var requests: [APIRequest] = []
        for fault in [LoopbackFault.close, .reset, .cut(atByte: 105), .malformedHead] {
            let server = try serve { _ in LoopbackResponse.text(secret).failing(with: fault) }
            requests.append(server.request("/path?token=\(secret)", headers: headers))
        }
        let large = try serve { _ in .text(secret) }
        requests.append(large.request("/path?token=\(secret)", headers: headers, limit: 1))
        for base in ["http://127.0.0.1:\(try LoopbackServer.refusedPort())", "http://no-such-host.invalid"] {
            let url = try XCTUnwrap(URL(string: "\(base)/path?token=\(secret)"))
            requests.append(APIRequest(url: url, headers: headers))
        }
        for request in requests {
            let outcome = await transport.outcome(of: request)
            let error = try XCTUnwrap(outcome.error, "\(request.url)")
            var dumped = ""
            dump(error, to: &dumped)
            for text in [error.message, "\(error)", error.localizedDescription, dumped] {
                XCTAssertFalse(text.contains(secret), text)
                XCTAssertFalse(text.contains("http:"), text)
                XCTAssertFalse(text.contains("/path"), text)
            }
            XCTAssertTrue(error.message.hasSuffix("."), "a sentence: \(error.message)")
        }
    }
}
