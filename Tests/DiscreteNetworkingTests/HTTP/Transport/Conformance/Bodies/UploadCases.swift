import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Request bodies from files and streams.
extension BodiesConformance {
    func testUploadsFromFiles() async throws {
        let server = try LoopbackServer(keepsBodies: false) { .text("\($0.bodyCount)") }
        defer { server.stop() }
        for size in [0, 1, 65_536, 1_000_003, 10 << 20] {
            for method in [HTTPMethod.post, .put] {
                let file = RequestBody.file(try patternFile(size))
                let response = try await transport.send(server.request("/", method, body: file))
                XCTAssertEqual(response.text, "\(size)")
                XCTAssertEqual(server.requests.last?.header("Content-Length"), "\(size)")
                XCTAssertEqual(server.requests.last?.method, method.rawValue)
            }
        }
        XCTAssertTrue(server.requests.allSatisfy(\.bodyIsPattern))
    }

    func testAFileThatIsNotThereIsSaidAndNothingIsSent() async throws {
        let server = try serve { _ in .text("ok") }
        for path in ["/nonexistent/file", NSTemporaryDirectory()] {
            let file = RequestBody.file(URL(fileURLWithPath: path))
            let error = await transport.outcome(of: server.request("/", .post, body: file)).error
            XCTAssertNotNil(error, path)
            XCTAssertNotEqual(error?.kind, .unknown, path)
            XCTAssertGreaterThan(error?.message.count ?? 0, 20)
        }
        XCTAssertEqual(server.requests.count, 0)
    }

    func testUploadsFromStreams() async throws {
        let server = try LoopbackServer(keepsBodies: false) { .text("\($0.bodyCount)") }
        defer { server.stop() }
        for size in [0, 1, 65_536, 1_000_003, 10 << 20] {
            for length in [nil, Int64(size)] {
                let body = RequestBody.stream(length: length, Self.patternStream(size))
                let response = try await transport.send(server.request("/", .post, body: body))
                XCTAssertEqual(response.text, "\(size)")
                if length != nil { XCTAssertEqual(server.requests.last?.header("Content-Length"), "\(size)") }
            }
        }
        XCTAssertTrue(server.requests.allSatisfy(\.bodyIsPattern))
    }

    func testEmptyPiecesOfAStreamDoNotEndIt() async throws {
        let server = try serve { .text("\($0.body.count)") }
        let body = RequestBody.stream(length: nil) {
            AsyncThrowingStream { continuation in
                for piece in ["", "ab", "", "", "cd", ""] { continuation.yield(Data(piece.utf8)) }
                continuation.finish()
            }
        }
        let response = try await transport.send(server.request("/", .post, body: body))
        XCTAssertEqual(response.text, "4")
    }

    func testAStreamThatThrowsFailsTheExchange() async throws {
        struct Broken: Error {}
        let server = try serve { _ in .text("ok") }
        for length in [nil, 1000] as [Int64?] {
            let body = RequestBody.stream(length: length) {
                AsyncThrowingStream { continuation in
                    continuation.yield(Data(count: 500))
                    continuation.finish(throwing: Broken())
                }
            }
            let error = await transport.outcome(of: server.request("/", .post, body: body)).error
            XCTAssertNotNil(error, "\(String(describing: length))")
            XCTAssertNotEqual(error?.kind, .unknown)
        }
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.requests.count, 0, "half a body is never a request")
    }

    func testAStreamOfAnotherLengthThanItSaidFailsTheExchange() async throws {
        let server = try serve { _ in .text("ok") }
        for said in [999, 1001] as [Int64] {
            let body = RequestBody.stream(length: said, Self.patternStream(1000, piece: 300))
            let error = await transport.outcome(of: server.request("/", .post, body: body)).error
            XCTAssertNotNil(error, "\(said)")
            XCTAssertNotEqual(error?.kind, .unknown)
        }
        XCTAssertTrue(server.requests.allSatisfy { $0.bodyCount == 999 })
    }

    func testAStreamThatWaitsHoldsNobodyElseUp() async throws {
        let server = try serve { .text("\($0.body.count)") }
        let gate = Gate()
        let sent = Locked(0)
        let body = RequestBody.stream(length: nil) {
            AsyncThrowingStream {
                await gate.pass()
                return sent.withLock { sent in
                    sent += 1
                    return sent <= 3 ? Data(count: 10) : nil
                }
            }
        }
        let request = server.request("/slow", .post, body: body)
        let slow = Task { [transport] in await transport.outcome(of: request) }
        await gate.arrival()
        for _ in 0..<50 {
            let response = try await transport.send(
                server.request("/quick", .post, body: .data(Data(count: 7))))
            XCTAssertEqual(response.text, "7")
        }
        gate.open()
        let response = try await slow.value.get()
        XCTAssertEqual(response.text, "30")
    }

    func testAnUploadIsNotAskedWhetherItMayCome() async throws {
        let server = try LoopbackServer(keepsBodies: false) { _ in .text("ok") }
        defer { server.stop() }
        let size = 3 << 20
        let file = try patternFile(size)
        for body in [
            RequestBody.data(LoopbackResponse.pattern(count: size)), .file(file),
            .stream(length: Int64(size), Self.patternStream(size)),
            .stream(length: nil, Self.patternStream(size)),
        ] {
            _ = try await transport.send(server.request("/", .post, body: body))
            XCTAssertNil(server.requests.last?.header("Expect"))
            XCTAssertEqual(server.requests.last?.bodyCount, size)
        }
    }

    func testAnAnswerBeforeTheEndOfTheUpload() async throws {
        let server = try LoopbackServer(bodyLimit: 1000) { _ in .text("ok") }
        defer { server.stop() }
        let request = server.request("/", .post, body: .data(Data(count: 8 << 20)))
        // The server says 413 and hears no more: the answer, or that the connection ended; never a hang.
        switch await transport.outcome(of: request) {
        case .success(let response): XCTAssertEqual(response.status, 413)
        case .failure(let error): XCTAssertEqual(error.kind, .connectionLost)
        }
    }

    func testProgressOfAnUploadFromFileAndStream() async throws {
        let server = try LoopbackServer(keepsBodies: false) { _ in .text("ok") }
        defer { server.stop() }
        let size = 2 << 20
        for body in [
            RequestBody.file(try patternFile(size)), .stream(length: Int64(size), Self.patternStream(size)),
        ] {
            let sent = Locked<[Int64]>([])
            var request = server.request("/", .post, body: body)
            request.onProgress = { progress in sent.withLock { $0.append(progress.sent) } }
            _ = try await transport.send(request)
            let counts = sent.current.filter { $0 > 0 }
            XCTAssertEqual(counts.last, Int64(size))
            XCTAssertEqual(counts, counts.sorted())
            XCTAssertGreaterThan(counts.count, 1)
        }
    }
}
