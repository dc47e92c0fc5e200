import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

/// What goes out and what comes back over real sockets, when all is well.
final class URLSessionTransportTests: XCTestCase {
    private let transport = URLSessionTransport()

    // MARK: Requests

    func testEveryMethodArrivesWithItsBodyExactly() async throws {
        let server = try serve { _ in .text("ok") }
        let body = Data("a=1&b=\u{0}é\r\n\r\n0\r\n".utf8)
        let methods: [HTTPMethod] = [.post, .put, .patch, .delete, .options, "REPORT"]
        for method in methods {
            _ = try await transport.send(server.request("/p", method, body: .data(body)))
        }
        XCTAssertEqual(server.requests.map(\.method), methods.map(\.rawValue))
        XCTAssertEqual(server.requests.map(\.body), methods.map { _ in body })
    }

    func testEveryMethodArrivesWithoutABody() async throws {
        let server = try serve { _ in .text("ok") }
        let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]
        for method in methods {
            let response = try await transport.send(server.request("/p", method))
            XCTAssertEqual(response.text, method == .head ? "" : "ok", "\(method)")
        }
        XCTAssertEqual(server.requests.map(\.method), methods.map(\.rawValue))
        XCTAssertTrue(server.requests.allSatisfy(\.body.isEmpty))
    }

    func testTheTargetGoesOutAsItIsWritten() async throws {
        let server = try serve { _ in .text("ok") }
        let target = "/a%2Fb/%E8%8C%B6;v=1?q=a+b%20c&e=%26%3D%23&tags%5B%5D=x&empty="
        _ = try await transport.send(server.request(target + "#fragment"))
        XCTAssertEqual(server.requests.map(\.target), [target])
    }

    func testHeadersArrive() async throws {
        let server = try serve { _ in .text("ok") }
        let headers: HTTPFields = [
            "X-Plain": "one", "Authorization": "Bearer abc", "Content-Type": "text/x-odd",
            "User-Agent": "Shop/1", "Accept": "application/json", "Cookie": "a=1; b=2",
            "X-Punctuation": #"a"b,c;d=e"#,
        ]
        _ = try await transport.send(
            server.request("/", .post, headers: headers, body: .data(Data("x".utf8))))
        let request = try XCTUnwrap(server.requests.first)
        for field in headers { XCTAssertEqual(request.header(field.name), field.value, field.name) }
        XCTAssertEqual(request.header("Host"), "127.0.0.1:\(server.port)")
        XCTAssertEqual(request.header("Content-Length"), "1")
    }

    func testTwoRequestHeadersOfOneNameBothArrive() async throws {
        let server = try serve { _ in .text("ok") }
        _ = try await transport.send(server.request(headers: ["X-Tag": "one", "x-tag": "two"]))
        let value = try XCTUnwrap(server.requests.first?.header("X-Tag"))
        XCTAssertEqual(value.replacingOccurrences(of: " ", with: ""), "one,two")
    }

    // MARK: Responses

    func testStatusAndHeadersAndBodyComeBack() async throws {
        for status in [200, 201, 202, 203, 206, 299, 300, 400, 404, 407, 418, 429, 499, 500, 503, 599] {
            let server = try serve { _ in .text("body of \(status)", status: status).adding("X-One", "1") }
            let response = try await transport.send(server.request("/where?x=1"))
            XCTAssertEqual(response.status, status)
            XCTAssertEqual(response.headers["x-one"], "1")
            XCTAssertEqual(response.headers["Content-Type"], "text/plain; charset=utf-8")
            XCTAssertEqual(response.text, "body of \(status)")
            XCTAssertEqual(response.url, server.request("/where?x=1").url)
        }
    }

    func testDuplicateHeadersOfAnyCaseAreAllFound() async throws {
        let server = try serve { _ in
            .text("ok").adding("X-Dup", "1").adding("x-dup", "2").adding("X-Dup", "3")
        }
        let response = try await transport.send(server.request())
        let values = response.headers["X-DUP"]?.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        XCTAssertEqual(values?.sorted(), ["1", "2", "3"])
    }

    func testARedirectIsAResponseLikeAnyOther() async throws {
        let server = try serve { _ in
            LoopbackResponse(status: 307, headers: [("Location", "/b")], body: .data(Data("moved".utf8)))
        }
        let response = try await transport.send(server.request("/a", .post, body: .data(Data("x".utf8))))
        XCTAssertEqual(response.status, 307)
        XCTAssertEqual(response.headers["Location"], "/b")
        XCTAssertEqual(server.requests.map(\.target), ["/a"])
    }

    func testChunks() async throws {
        let pieces = (0..<50).map { Data(repeating: UInt8($0), count: $0 * 7 + 1) }
        let server = try serve { _ in LoopbackResponse(body: .chunks(pieces)) }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.data, pieces.reduce(Data(), +))
    }

    func testABodyThatEndsWithTheConnection() async throws {
        let server = try serve { _ in LoopbackResponse(body: .untilClose(Data("to the end".utf8))) }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "to the end")
    }

    func testStatusesWithoutABody() async throws {
        for status in [204, 304] {
            let server = try serve { _ in .status(status).adding("ETag", "v1") }
            for _ in 0..<2 {
                let response = try await transport.send(server.request())
                XCTAssertEqual(response.status, status)
                XCTAssertEqual(response.data, Data())
                XCTAssertEqual(response.headers["ETag"], "v1")
            }
        }
    }

    func testInterimResponsesAreNotTheAnswer() async throws {
        for interim in [[100], [103], [102, 103, 103]] {
            let server = try serve { _ in
                var response = LoopbackResponse.text("real", status: 201)
                response.interim = interim
                return response
            }
            let response = try await transport.send(server.request())
            XCTAssertEqual(response.status, 201, "\(interim)")
            XCTAssertEqual(response.text, "real", "\(interim)")
        }
    }

    // MARK: Size

    func testTenMegabytesDown() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 10 << 20)) }
        let response = try await transport.send(server.request())
        XCTAssertTrue(response.data == LoopbackResponse.pattern(count: 10 << 20))
    }

    func testTenMegabytesUp() async throws {
        let body = LoopbackResponse.pattern(count: 10 << 20)
        let server = try serve { .text("\($0.body.count)") }
        let response = try await transport.send(server.request("/", .post, body: .data(body)))
        XCTAssertEqual(response.text, "\(10 << 20)")
        XCTAssertTrue(server.requests.first?.body == body)
    }

    func testExactlyTheLimitIsNotTooLarge() async throws {
        for body in [
            LoopbackResponse.Body.generated(count: 4096), .chunks([Data(count: 4000), Data(count: 96)]),
            .untilClose(Data(count: 4096)),
        ] {
            let server = try serve { _ in LoopbackResponse(body: body) }
            let response = try await transport.send(server.request(limit: 4096))
            XCTAssertEqual(response.data.count, 4096)
        }
    }

    func testOneByteMoreThanTheLimitIsTooLarge() async throws {
        for body in [
            LoopbackResponse.Body.generated(count: 4097), .chunks([Data(count: 4000), Data(count: 97)]),
            .untilClose(Data(count: 4097)),
        ] {
            let server = try serve { _ in LoopbackResponse(body: body) }
            let error = await transport.outcome(of: server.request(limit: 4096)).error
            XCTAssertEqual(error?.kind, .responseTooLarge(limit: 4096))
            XCTAssertTrue(error?.message.contains("4096") == true)
        }
    }

    func testATooLargeResponseIsNotFetchedToItsEnd() async throws {
        let server = try serve { _ in
            LoopbackResponse(body: .stream([.chunk(Data(count: 2000)), .wait(LoopbackGate())]))
        }
        let kind = await transport.failure(server.request(limit: 1000))
        XCTAssertEqual(kind, .responseTooLarge(limit: 1000))
        await server.waitForOpenConnections(atMost: 0)
    }

    func testGzipIsTakenOff() async throws {
        let server = try serve { _ in
            LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: .data(Self.zippedTeapot))
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, teapot)
        XCTAssertTrue(server.requests.first?.header("Accept-Encoding")?.contains("gzip") == true)
    }

    func testAGzipBombStopsAtTheLimit() async throws {
        // Four megabytes of zeros in four kilobytes.
        var bomb = Data(hex: "1f8b0800000000000203edc101010000008220ffaf6e484001")
        bomb += Data(count: 4063) + Data(hex: "7c1b6a40471100004000")
        let zipped = bomb
        let server = try serve { _ in
            LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: .data(zipped))
        }
        let whole = try await transport.send(server.request())
        XCTAssertEqual(whole.data.count, 4 << 20)
        let kind = await transport.failure(server.request(limit: (4 << 20) - 1))
        XCTAssertEqual(kind, .responseTooLarge(limit: (4 << 20) - 1))
    }

    private static let zippedTeapot =
        Data(
            base64Encoded:
                "H4sIAAAAAAACA6tWykxRsjLXUcpLzE1VslJ6OXfSi66Nzydvf9Gz7enibUq1AEDTd+EhAAAA") ?? Data()

    // MARK: Connections

    func testAConnectionIsUsedAgain() async throws {
        let server = try serve { _ in .text("ok") }
        for _ in 0..<20 { _ = try await transport.send(server.request()) }
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testAConnectionThatTheServerClosesIsNotUsedAgain() async throws {
        let server = try serve { _ in .text("ok").adding("Connection", "close") }
        for _ in 0..<5 {
            let response = try await transport.send(server.request())
            XCTAssertEqual(response.text, "ok")
        }
        XCTAssertEqual(server.acceptedConnections, 5)
    }

    func testProgressIsReportedBothWays() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 300_000)) }
        let seen = Locked<[TransferProgress]>([])
        var request = server.request("/", .post, body: .data(Data(count: 200_000)))
        request.onProgress = { progress in seen.withLock { $0.append(progress) } }
        _ = try await transport.send(request)
        XCTAssertEqual(seen.current.map(\.received).max(), 300_000)
        XCTAssertEqual(seen.current.map(\.sent).max(), 200_000)
        XCTAssertEqual(seen.current.compactMap(\.expectedToSend).max(), 200_000)
        let received = seen.current.map(\.received).filter { $0 > 0 }
        XCTAssertEqual(received, received.sorted())
    }
}
