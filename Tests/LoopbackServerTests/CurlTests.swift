import Foundation
import LoopbackServer
import XCTest

final class CurlTests: XCTestCase {
    private func serve(_ handler: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse) throws
        -> (server: LoopbackServer, url: String)
    {
        let server = try LoopbackServer(handler: handler)
        addTeardownBlock { server.stop() }
        return (server, server.baseURL.absoluteString)
    }

    // MARK: Connections

    func testTwoRequestsShareOneConnection() throws {
        let (server, url) = try serve { .text($0.path) }
        let result = try Curl.run("\(url)/one", "\(url)/two")
        XCTAssertEqual(result.text, "/one/two")
        XCTAssertEqual(server.acceptedConnections, 1)
        XCTAssertEqual(server.requests.map(\.connection), [1, 1])
    }

    func testConnectionCloseFromEitherSideEndsTheConnection() throws {
        let (server, url) = try serve { request in
            var response = LoopbackResponse.text("x")
            response.closesConnection = request.path == "/server"
            return response
        }
        let byServer = try Curl.run("-i", "\(url)/server", "\(url)/server")
        XCTAssertTrue(byServer.text.contains("Connection: close\r\n"))
        XCTAssertEqual(server.acceptedConnections, 2)
        let byClient = try Curl.run("-H", "Connection: close", "\(url)/", "\(url)/")
        XCTAssertEqual(byClient.text, "xx")
        XCTAssertEqual(server.acceptedConnections, 4)
    }

    func testOldClientsGetNoChunkedCoding() throws {
        let (server, url) = try serve { _ in
            LoopbackResponse(body: .chunks([Data("ab".utf8), Data("cd".utf8)]))
        }
        let result = try Curl.run("-0", "-i", "\(url)/")
        XCTAssertEqual(result.exitCode, 0)
        XCTAssertTrue(result.text.hasSuffix("\r\n\r\nabcd"))
        XCTAssertFalse(result.text.contains("chunked"))
        XCTAssertEqual(server.requests[0].version, "HTTP/1.0")
    }

    // MARK: Bodies

    func testChunkedBodiesAreReadAndSent() throws {
        let (server, url) = try serve { request in
            LoopbackResponse(body: .chunks([Data("got ".utf8), Data(), request.body]))
        }
        let upload = try Curl.run(
            "-i", "-T", "-", "-H", "Expect:", "\(url)/up", input: Data("streamed".utf8))
        XCTAssertEqual(upload.exitCode, 0, upload.log)
        XCTAssertTrue(upload.text.contains("Transfer-Encoding: chunked\r\n"))
        XCTAssertTrue(upload.text.hasSuffix("\r\n\r\ngot streamed"))
        XCTAssertEqual(server.requests[0].header("transfer-encoding"), "chunked")
        XCTAssertEqual(server.requests[0].method, "PUT")
    }

    func testTenMegabytesArriveUnharmed() throws {
        let (server, url) = try serve { .text("\($0.body.count)") }
        let sent = LoopbackResponse.pattern(count: 10_000_000)
        for headers in [["Transfer-Encoding: chunked"], ["Expect:"]] {
            let result = try Curl.run(
                headers.flatMap { ["-H", $0] } + ["--data-binary", "@-", "\(url)/up"], input: sent)
            XCTAssertEqual(result.text, "10000000", result.log)
            XCTAssertEqual(server.requests.last?.body, sent)
        }
        XCTAssertEqual(server.requests[1].header("Content-Length"), "10000000")
    }

    func testExpectationIsMetBeforeTheBody() throws {
        let (server, url) = try serve { .text("\($0.body.count)") }
        let result = try Curl.run(
            "-v", "-H", "Expect: 100-continue", "--expect100-timeout", "60", "-d", "hello", "\(url)/")
        XCTAssertEqual(result.text, "5")
        XCTAssertTrue(result.log.contains("< HTTP/1.1 100 Continue"), result.log)
        XCTAssertEqual(server.requests.count, 1)
    }

    func testTooLargeUploadsAreRefused() throws {
        let server = try LoopbackServer(bodyLimit: 1000) { _ in .status(204) }
        defer { server.stop() }
        let url = server.baseURL.absoluteString
        let body = LoopbackResponse.pattern(count: 5_000_000)
        let lengths = ["Expect:", "Expect: 100-continue", "Transfer-Encoding: chunked"]
        for header in lengths {
            let result = try Curl.run(
                "-o", "/dev/null", "-w", "%{http_code}", "-H", header, "--data-binary", "@-", url,
                input: body)
            XCTAssertEqual(result.text, "413", header)
        }
        XCTAssertTrue(server.requests.isEmpty)
        let fitting = try Curl.run(
            "-w", "%{http_code}", "--data-binary", "@-", url, input: body.prefix(1000))
        XCTAssertEqual(fitting.text, "204")
    }

    func testHeadHasTheLengthOfGet() throws {
        let (server, url) = try serve { _ in .text("twelve bytes") }
        let result = try Curl.run("-I", "\(url)/", "\(url)/")
        XCTAssertEqual(result.exitCode, 0)
        XCTAssertEqual(result.text.components(separatedBy: "Content-Length: 12\r\n").count, 3)
        XCTAssertFalse(result.text.contains("twelve"))
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testBodilessStatusesHaveNeitherBodyNorLength() throws {
        let (server, url) = try serve { .text("never sent", status: Int($0.path.dropFirst())!) }
        let result = try Curl.run("-i", "\(url)/204", "\(url)/304", "\(url)/200")
        XCTAssertTrue(result.text.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        XCTAssertEqual(result.text.components(separatedBy: "Content-Length").count, 2)
        XCTAssertEqual(result.text.components(separatedBy: "never sent").count, 2)
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testGeneratedBodiesTakeNoMemory() throws {
        let (_, url) = try serve { LoopbackResponse(body: .generated(count: Int($0.path.dropFirst())!)) }
        let small = try Curl.run("\(url)/1000000")
        XCTAssertEqual(small.output, LoopbackResponse.pattern(count: 1_000_000))
        let before = try kilobytesInMemory()
        let large = try Curl.run("-o", "/dev/null", "-w", "%{size_download}", "\(url)/1073741824")
        XCTAssertEqual(large.text, "1073741824")
        XCTAssertLessThan(try kilobytesInMemory() - before, 500_000, "the body was held in memory")
    }

    /// 0 where the system does not tell.
    private func kilobytesInMemory() throws -> Int {
        #if os(Linux)
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
            return try XCTUnwrap(Int(line.filter(\.isNumber)))
        #else
            return 0
        #endif
    }

    func testABodyMayEndWithTheConnection() throws {
        let (_, url) = try serve { _ in LoopbackResponse(body: .untilClose(Data("open end".utf8))) }
        let result = try Curl.run("-i", url)
        XCTAssertEqual(result.exitCode, 0)
        XCTAssertFalse(result.text.contains("Content-Length"))
        XCTAssertTrue(result.text.hasSuffix("\r\n\r\nopen end"))
    }

    func testGzipPassesThrough() throws {
        // printf 'squeezed' | gzip -n9 | base64
        let packed = Data(base64Encoded: "H4sIAAAAAAACAysuLE1NrUpNAQDeJhQACAAAAA==")!
        let (_, url) = try serve { _ in .data(packed).adding("Content-Encoding", "gzip") }
        let unpacked = try Curl.run("--compressed", url)
        XCTAssertEqual(unpacked.exitCode, 0, unpacked.log)
        XCTAssertEqual(unpacked.text, "squeezed")
        XCTAssertEqual(try Curl.run(url).output, packed)
    }

    func testSlowBodiesArriveWhole() throws {
        let (_, url) = try serve { _ in .slow(Data("drop by drop".utf8), bytesPerPiece: 5, interval: 0.01) }
        let result = try Curl.run("-w", "|%{time_total}", url).text.split(separator: "|")
        XCTAssertEqual(result[0], "drop by drop")
        XCTAssertGreaterThanOrEqual(Double(result[1]) ?? 0, 0.03)
    }

    // MARK: Heads

    func testHeadersGoOutAsGiven() throws {
        let (_, url) = try serve { _ in
            var response = LoopbackResponse(status: 299, reason: "Quite Fine")
            response.headers = [("x-Odd", "1"), ("X-ODD", "2")]
            response.rawHeaders = Data("X-Latin: caf".utf8) + [0xE9, 0x0D, 0x0A]
            return response
        }
        let result = try Curl.run("-i", url)
        XCTAssertEqual(
            result.output,
            Data("HTTP/1.1 299 Quite Fine\r\nx-Odd: 1\r\nX-ODD: 2\r\nContent-Length: 0\r\nX-Latin: caf".utf8)
                + [0xE9] + Data("\r\n\r\n".utf8))
    }

    func testInterimResponsesComeFirst() throws {
        let (_, url) = try serve { _ in
            var response = LoopbackResponse.text("done")
            response.interim = [103, 102]
            return response
        }
        let result = try Curl.run("-i", url)
        XCTAssertTrue(
            result.text.hasPrefix(
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n"))
        XCTAssertTrue(result.text.hasSuffix("done"))
    }

    func testRedirectsAreFollowed() throws {
        let (server, url) = try serve { request in
            switch request.path {
            case "/a": .redirect(to: "/b")
            case "/b": .redirect(to: "/c", status: 307)
            default: .text("arrived by \(request.method)")
            }
        }
        XCTAssertEqual(try Curl.run("-L", "\(url)/a").text, "arrived by GET")
        XCTAssertEqual(server.requests.map(\.path), ["/a", "/b", "/c"])
        XCTAssertEqual(try Curl.run("-L", "-d", "x", "\(url)/b").text, "arrived by POST")
    }

    // MARK: Requests

    func testUnicodeAndEscapesAreDecoded() throws {
        let (server, url) = try serve { _ in .status(204) }
        _ = try Curl.run(
            "--get", "--data-urlencode", "q=café & crème", "--data", "plus=a+b&empty=&bare&%zz=%4",
            "\(url)/%C3%BCber%2Fall+1")
        let request = try XCTUnwrap(server.requests.first)
        XCTAssertTrue(request.target.hasPrefix("/%C3%BCber%2Fall+1?q="))
        XCTAssertEqual(request.path, "/über/all+1")
        XCTAssertEqual(request.query.map(\.name), ["q", "plus", "empty", "bare", "%zz"])
        XCTAssertEqual(request.query.map(\.value), ["café & crème", "a b", "", "", "%4"])
    }

    func testFormsAndHeadersAreRead() throws {
        let (server, url) = try serve { _ in .status(204) }
        _ = try Curl.run(
            "--data-urlencode", "name=Zoë B", "-d", "n=1", "-H", "X-Two: a", "-H", "x-two: b", url)
        _ = try Curl.run("-H", "Content-Type: text/plain", "-d", "a=1", url)
        let requests = server.requests
        XCTAssertEqual(requests[0].form.map(\.name), ["name", "n"])
        XCTAssertEqual(requests[0].form.map(\.value), ["Zoë B", "1"])
        XCTAssertEqual(requests[0].header("X-TWO"), "a, b")
        XCTAssertEqual(requests[0].headers.map(\.name).suffix(4).first, "X-Two")
        XCTAssertNil(requests[0].header("X-Three"))
        XCTAssertTrue(requests[1].form.isEmpty)
    }
}
