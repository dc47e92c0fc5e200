import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Bodies from files and streams, over real sockets.
@MainActor
final class UploadTests: XCTestCase {
    private func pieces(
        _ count: Int, of size: Int, error: (any Error)? = nil
    ) -> @Sendable () -> AsyncThrowingStream<Data, any Error> {
        {
            AsyncThrowingStream { continuation in
                for index in 0..<count {
                    continuation.yield(Data(repeating: UInt8(index & 255), count: size))
                }
                continuation.finish(throwing: error)
            }
        }
    }

    private func sent(_ body: any ParamEncoding, _ params: Params = [:]) async throws -> LoopbackRequest {
        let server = try serve { _ in .status(204) }
        _ = try await Stack(server).manager(UploadManager<NoContent>(body)).load(with: params)
        return try XCTUnwrap(server.requests.first)
    }

    func testFileIsUploadedFromDisk() async throws {
        let bytes = LoopbackResponse.pattern(count: 2_000_000)
        let file = try temporaryFolder().write("a.bin", bytes)
        let request = try await sent(.file(file, contentType: "image/png"), ["q": "x"])
        XCTAssertEqual(request.body, bytes)
        XCTAssertEqual(request.header("Content-Length"), "2000000")
        XCTAssertEqual(request.header("Content-Type"), "image/png")
        XCTAssertEqual(request.target, "/upload?q=x")
    }

    func testAnEmptyFile() async throws {
        let file = try temporaryFolder().write("a.bin", Data())
        let request = try await sent(.file(file, contentType: "image/png"))
        XCTAssertEqual(request.body, Data())
        XCTAssertEqual(request.header("Content-Length"), "0")
    }

    func testStreamsWithAndWithoutALength() async throws {
        let known = try await sent(
            .stream(length: 1_000_000, contentType: "a/b", pieces(1_000, of: 1_000)))
        XCTAssertEqual(known.header("Content-Length"), "1000000")
        XCTAssertEqual(known.body.count, 1_000_000)
        let unknown = try await sent(.stream(length: nil, contentType: "a/b", pieces(1_000, of: 1_000)))
        XCTAssertEqual(unknown.header("Transfer-Encoding"), "chunked")
        XCTAssertEqual(unknown.body, known.body)
    }

    func testFormWithAFileIsUploaded() async throws {
        let bytes = LoopbackResponse.pattern(count: 500_000)
        let file = try temporaryFolder().write("a.bin", bytes)
        let form = MultipartForm([.file(file, named: "photo", contentType: "image/png")], boundary: "XX")
        let request = try await sent(.multipart(form), ["id": 7])
        let expected = try await MultipartForm([.text("7", named: "id")] + form.parts, boundary: "XX").body()
            .read()
        XCTAssertEqual(request.body, expected)
        XCTAssertEqual(request.header("Content-Length"), "\(expected.count)")
    }

    func testARedirectAndARepeatSendItAgain() async throws {
        let bytes = LoopbackResponse.pattern(count: 300_000)
        let file = try temporaryFolder().write("a.bin", bytes)
        let server = try serve { request in
            request.path == "/upload"
                ? .redirect(to: "/there", status: 307)
                : .text("busy", status: 503)
        }
        let stack = Stack(server) { $0.intercept = { $0.attempt < 2 ? .retry : .report } }
        let error = await failure(
            stack.manager(UploadManager<NoContent>(.file(file, contentType: "a/b"))))
        XCTAssertEqual(error?.kind, .http(status: 503))
        XCTAssertEqual(server.requests.map(\.path), ["/upload", "/there", "/upload", "/there"])
        XCTAssertTrue(server.requests.allSatisfy { $0.body == bytes })
    }

    // MARK: Failures

    func testAMissingFileSendsNothing() async throws {
        let transport = ClosureTransport(json: "{}")
        let file = try temporaryFolder().file("gone.png")
        let error = await failure(
            Stack(transport).manager(UploadManager<NoContent>(.file(file, contentType: "a/b"))))
        XCTAssertEqual(error?.kind, .invalidRequest(reason: "The file gone.png to send does not exist."))
        XCTAssertTrue(transport.requests.isEmpty)
    }

    struct Broken: Error { let secret = "s3cret" }

    func testAStreamThatThrowsOrLies() async throws {
        let server = try serve { _ in .status(204) }
        let stack = Stack(server)
        func kind(_ encoding: any ParamEncoding) async -> (APIError.Kind?, String) {
            let error = await failure(stack.manager(UploadManager<NoContent>(encoding)))
            return (error?.kind, error?.description ?? "")
        }
        let (thrown, text) = await kind(
            .stream(length: nil, contentType: "a/b", pieces(2, of: 10, error: Broken())))
        XCTAssertEqual(thrown, .transfer(.unreadable(reason: "The stream threw a Broken.")))
        XCTAssertFalse(text.contains("s3cret"))
        let (short, _) = await kind(.stream(length: 30, contentType: "a/b", pieces(2, of: 10)))
        XCTAssertEqual(short, .transfer(.unreadable(reason: "The body has 20 bytes instead of 30.")))
        let (long, _) = await kind(.stream(length: 15, contentType: "a/b", pieces(2, of: 10)))
        XCTAssertEqual(long, .transfer(.unreadable(reason: "The body has 20 bytes or more instead of 15.")))
    }

    // MARK: Time

    func testABodyThatTakesItsTimeHasNoLimitButTheManagersOwn() async throws {
        let transport = ClosureTransport(json: "{}")
        let file = try temporaryFolder().write("a", Data([1]))
        let stack = Stack(transport) { $0.timeout = 3 }
        let manager = stack.manager(UploadManager<NoContent>(.file(file, contentType: "a/b")))
        _ = try await manager.load()
        manager.ownTimeout = 5
        _ = try await manager.load()
        _ = try await stack.manager(UploadManager<NoContent>(.json)).load()
        XCTAssertEqual(transport.requests.map(\.timeout), [.infinity, 5, 3])
    }

    func testTheManagersTimeoutIsForTheWholeDownloadTheServicesForItsHead() async throws {
        let folder = try temporaryFolder()
        let body = HandFedBody()
        let transport = ClosureTransport { request in
            TransportResponse(url: request.url, status: 200, headers: ["ETag": "\"a\""], body: body.body)
        }
        let slow = Stack(transport).manager(DownloadManager(to: folder.file("a")))
        slow.ownTimeout = 0.01
        let error = await failure(slow)
        XCTAssertEqual(error?.kind, .timedOut)
        await body.abandonment()
        let gate = Gate()
        let headless = Stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(url: request.url, status: 200)
            }
        ) { $0.timeout = 0.01 }.manager(DownloadManager(to: folder.file("a")))
        let late = await failure(headless)
        XCTAssertEqual(late?.kind, .timedOut)
        gate.open()
    }

    func testTimeIsUpOnceForEachAttempt() async throws {
        let folder = try temporaryFolder()
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(url: request.url, status: 200)
        }
        let attempts = Locked<[Int]>([])
        let manager = Stack(transport) { rules in
            rules.intercept = { failure in
                attempts.withLock { $0.append(failure.attempt) }
                return .retry
            }
        }.manager(DownloadManager(to: folder.file("a")))
        // Long enough for an attempt to be sent, also on a machine that is busy.
        manager.ownTimeout = 0.1
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .timedOut)
        XCTAssertEqual(attempts.current, [1, 2, 3, 4])
        XCTAssertEqual(transport.requests.count, 4)
        gate.open()
    }
}
