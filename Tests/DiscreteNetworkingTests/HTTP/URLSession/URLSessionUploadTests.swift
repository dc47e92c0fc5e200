import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Bodies out of files and streams.
final class URLSessionUploadTests: URLSessionUploadCase {
    private static let sizes = [0, 1, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 3 << 20]

    // MARK: What arrives

    func testFilesOfEverySizeArrive() async throws {
        let server = try serve { _ in .text("ok") }
        for size in Self.sizes {
            let data = LoopbackResponse.pattern(count: size)
            let response = try await transport.send(
                server.request("/", .post, body: .file(try file(data))))
            XCTAssertEqual(response.text, "ok")
            let request = try XCTUnwrap(server.requests.last)
            XCTAssertTrue(request.body == data, "\(size)")
            XCTAssertEqual(request.header("Content-Length"), "\(size)")
            XCTAssertNil(request.header("Transfer-Encoding"))
        }
        XCTAssertEqual(server.requests.count, Self.sizes.count)
    }

    func testStreamsOfEverySizeArrive() async throws {
        let server = try serve { _ in .text("ok") }
        for size in Self.sizes {
            let data = LoopbackResponse.pattern(count: size)
            let pieces = stride(from: 0, to: size, by: 10_007).map { data[$0..<min($0 + 10_007, size)] }
            for length in [Int64(size), nil] {
                _ = try await transport.send(
                    server.request("/", .put, body: Self.stream([Data()] + pieces, length: length)))
                let request = try XCTUnwrap(server.requests.last)
                XCTAssertTrue(request.body == data, "\(size)")
                XCTAssertEqual(request.header("Content-Length"), "\(size)")
            }
        }
        XCTAssertEqual(server.requests.count, Self.sizes.count * 2)
    }

    func testEveryMethodSendsAFileAndAStream() async throws {
        let server = try serve { _ in .text("ok") }
        let url = try file(Data("file".utf8))
        let methods: [HTTPMethod] = [.post, .put, .patch, .delete, .options, "REPORT"]
        for method in methods {
            let headers: HTTPFields = ["Content-Type": "text/x-odd", "X-One": "1"]
            _ = try await transport.send(server.request("/", method, headers: headers, body: .file(url)))
            _ = try await transport.send(
                server.request("/", method, headers: headers, body: Self.stream([Data("stream".utf8)])))
        }
        XCTAssertEqual(server.requests.map(\.method), methods.flatMap { [$0.rawValue, $0.rawValue] })
        XCTAssertEqual(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) },
            methods.flatMap { _ in ["file", "stream"] })
        XCTAssertTrue(
            server.requests.allSatisfy {
                $0.header("Content-Type") == "text/x-odd" && $0.header("X-One") == "1"
            })
    }

    func testALinkToAFileIsTheFile() async throws {
        let server = try serve { _ in .text("ok") }
        let data = LoopbackResponse.pattern(count: 5000)
        _ = try file(data)
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "body")
        _ = try await transport.send(server.request("/", .post, body: .file(link)))
        XCTAssertTrue(server.requests.first?.body == data)
    }

    func testAFileStaysWhereItIs() async throws {
        let server = try serve { _ in .text("ok") }
        let url = try file(Data("kept".utf8))
        _ = try await transport.send(server.request("/", .post, body: .file(url)))
        XCTAssertEqual(try Data(contentsOf: url), Data("kept".utf8))
    }

    func testAStreamIsNotTakenFromBeforeItIsNeeded() async throws {
        let made = Locked(0)
        let body = RequestBody.stream(length: nil) {
            made.withLock { $0 += 1 }
            return AsyncThrowingStream { $0.finish() }
        }
        let server = try serve { _ in .text("ok") }
        let request = server.request("/", .post, body: body)
        XCTAssertEqual(made.current, 0)
        _ = try await transport.send(request)
        XCTAssertEqual(made.current, 1)
    }

    // MARK: Redirects

    func testFilesAndStreamsAreReadAnewAfterARedirect() async throws {
        for status in [307, 308] {
            let made = Locked(0)
            let stream = RequestBody.stream(length: 3) {
                let number = made.withLock { made -> Int in
                    made += 1
                    return made
                }
                return AsyncThrowingStream { continuation in
                    continuation.yield(Data("no\(number)".utf8))
                    continuation.finish()
                }
            }
            let bodies = [
                (RequestBody.file(try file(Data("file".utf8))), ["file", "file"]), (stream, ["no1", "no2"]),
            ]
            for (body, expected) in bodies {
                let server = try serve { request in
                    request.path == "/a" ? .redirect(to: "/b", status: status) : .text("ok")
                }
                let outcome = await transport.outcome(of: server.request("/a", .post, body: body))
                XCTAssertEqual(try outcome.get().text, "ok")
                XCTAssertEqual(server.requests.map(\.target), ["/a", "/b"])
                XCTAssertEqual(server.requests.map { String(decoding: $0.body, as: UTF8.self) }, expected)
            }
        }
    }

    func testAPostThatIsSeenOtherIsAGETWithoutABody() async throws {
        for status in [301, 302, 303] {
            let server = try serve { request in
                request.path == "/a" ? .redirect(to: "/b", status: status) : .text("ok")
            }
            for body in [RequestBody.file(try file(Data("file".utf8))), Self.stream([Data("stream".utf8)])] {
                let outcome = await transport.outcome(of: server.request("/a", .post, body: body))
                XCTAssertEqual(try outcome.get().text, "ok")
            }
            XCTAssertEqual(server.requests.map(\.method), ["POST", "GET", "POST", "GET"])
            XCTAssertEqual(server.requests.map(\.body.count), [4, 0, 6, 0])
        }
    }

    // MARK: Progress

    func testProgressOfFilesAndStreams() async throws {
        let size = 300_000
        let data = LoopbackResponse.pattern(count: size)
        for body in [RequestBody.file(try file(data)), Self.stream([data])] {
            let server = try serve { _ in LoopbackResponse(body: .generated(count: 200_000)) }
            let seen = Locked<[TransferProgress]>([])
            var request = server.request("/", .post, body: body)
            request.onProgress = { progress in seen.withLock { $0.append(progress) } }
            _ = try await transport.send(request)
            let sent = seen.current.map(\.sent)
            XCTAssertEqual(sent, sent.sorted(), "what was sent stays sent")
            XCTAssertGreaterThan(Set(sent).count, 2)
            XCTAssertTrue(seen.current.allSatisfy { $0.expectedToSend == 300_000 })
            let last = try XCTUnwrap(seen.current.last)
            XCTAssertEqual(last.sent, 300_000)
            XCTAssertEqual(last.received, 200_000)
            XCTAssertEqual(last.expectedToReceive, 200_000)
        }
    }
}
