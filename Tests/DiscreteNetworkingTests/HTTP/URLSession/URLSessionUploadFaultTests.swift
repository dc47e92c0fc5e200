import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Bodies that cannot be sent, or not to the end.
final class URLSessionUploadFaultTests: URLSessionUploadCase {
    // MARK: What cannot be sent

    private func check(
        _ body: RequestBody, says words: String, _ name: String, line: UInt = #line
    ) async throws {
        let server = try serve { _ in .text("ok") }
        let error = await transport.outcome(of: server.request("/", .post, body: body)).error
        XCTAssertEqual(error?.kind, .bodyUnavailable, name, line: line)
        let message = try XCTUnwrap(error?.message, name, line: line)
        XCTAssertTrue(message.contains(words), message, line: line)
        XCTAssertFalse(message.contains(folder.path), message, line: line)
        XCTAssertFalse(message.contains("s3cr3t"), message, line: line)
        XCTAssertEqual(server.acceptedConnections, 0, name, line: line)
    }

    func testUploadOfAnIrregularFileNamesTheReason() async throws {
        let link = folder.appendingPathComponent("dangling")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere")
        let pipe = folder.appendingPathComponent("pipe")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        let web = try XCTUnwrap(URL(string: "https://example.com/body"))
        try await check(.file(folder.appendingPathComponent("missing")), says: "missing", "missing")
        try await check(.file(folder), says: folder.lastPathComponent, "a folder")
        try await check(.file(link), says: "dangling", "a link to nowhere")
        try await check(.file(pipe), says: "pipe", "a pipe")
        try await check(.file(URL(fileURLWithPath: "/dev/zero")), says: "zero", "a device")
        try await check(.file(web), says: "body", "not a file URL")
    }

    func testALengthThatIsNotTrueIsSaid() async throws {
        let pieces = [Data("12345".utf8), Data("67890".utf8)]
        for length: Int64 in [0, 1, 9, 11, 1 << 40, -1] {
            try await check(Self.stream(pieces, length: length), says: "\(length) bytes", "\(length)")
        }
        try await check(Self.stream([], length: 1), says: "1 bytes", "none at all")
    }

    func testAStreamThatNeverEndsIsLeftAtItsLength() async throws {
        let given = Locked(0)
        let endless = RequestBody.stream(length: 100) {
            AsyncThrowingStream {
                given.withLock { $0 += 1 }
                return Data(count: 10)
            }
        }
        try await check(endless, says: "100 bytes", "endless")
        XCTAssertEqual(given.current, 11)
    }

    private struct Failure: Error { let secret = "s3cr3t" }

    func testAStreamThatThrowsIsSaid() async throws {
        for pieces in [[], [Data("12345".utf8)]] {
            try await check(Self.stream(pieces, throwing: Failure()), says: "Failure", "throws")
        }
        try await check(
            Self.stream([Data("1".utf8)], length: 1, throwing: Failure()), says: "Failure", "at the end")
        try await check(
            Self.stream([], throwing: CancellationError()), says: "CancellationError", "by itself")
    }

    func testAnErrorOfATransportPassesThroughAStream() async throws {
        let server = try serve { _ in .text("ok") }
        let lost = TransportError(.connectionLost, message: "The source was lost.")
        let request = server.request("/", .post, body: Self.stream([Data(count: 9)], throwing: lost))
        let error = await transport.outcome(of: request).error
        XCTAssertEqual(error, lost)
    }

    // MARK: Cancelling

    func testCancellingWhileTheStreamIsReadAsksNothingOfTheServer() async throws {
        let server = try serve { _ in .text("ok") }
        let began = Promise<Void>()
        let isLeft = Promise<Void>()
        let request = server.request(
            "/", .post,
            body: .stream(length: 100) {
                AsyncThrowingStream { continuation in
                    continuation.onTermination = { _ in isLeft.fulfil(()) }
                    continuation.yield(Data(count: 10))
                    began.fulfil(())
                }
            })
        let task = Task { [transport] in await transport.outcome(of: request) }
        await began.value
        task.cancel()
        let outcome = await task.value
        XCTAssertEqual(outcome.error?.kind, .cancelled)
        await isLeft.value
        XCTAssertEqual(server.acceptedConnections, 0)
    }

    func testCancellingWhileAFileOrAStreamIsSent() async throws {
        let large = try file(Data(count: 64 << 20))
        let pieces = (0..<64).map { _ in Data(count: 1 << 20) }
        for body in [RequestBody.file(large), Self.stream(pieces)] {
            let server = try serve { _ in .text("ok") }
            let started = Promise<Int>()
            var request = server.request("/", .post, body: body)
            request.onProgress = { progress in
                if progress.sent > 0 { started.fulfil((try? Self.temporaryFiles().count) ?? -1) }
            }
            let task = Task { [transport, request] in await transport.outcome(of: request) }
            let files = await started.value
            if case .stream = body { XCTAssertEqual(files, 1, "it is sent from a file") }
            task.cancel()
            let outcome = await task.value
            XCTAssertEqual(outcome.error?.kind, .cancelled)
            XCTAssertEqual(try Self.temporaryFiles(), [])
            await server.waitForOpenConnections(atMost: 0)
            XCTAssertEqual(server.requests.count, 0, "the body did not arrive whole")
        }
    }

    #if os(Linux)
        /// How many files this process has open whose names begin so.
        private static func openFiles(named name: String) -> Int {
            let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return links.filter { link in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(link)")
                return target?.split(separator: "/").last?.hasPrefix(name) == true
            }.count
        }
    #endif

    func testCancellingAtAnyMoment() async throws {
        let server = try serve { request in
            request.path == "/0" ? .redirect(to: "/1", status: 307) : .text("ok")
        }
        let bodies = [
            RequestBody.file(try file(Data(count: 100_000))), Self.stream([Data(count: 100_000)]),
        ]
        var random = FixedRandom(seed: 11)
        var kinds: [TransportError.Kind?: Int] = [:]
        for round in 0..<400 {
            let request = server.request("/0", .post, body: bodies[round % 2])
            let task = Task { [transport] in await transport.outcome(of: request) }
            for _ in 0..<Int.random(in: 0..<120, using: &random) { await Task.yield() }
            task.cancel()
            kinds[await task.value.error?.kind, default: 0] += 1
        }
        XCTAssertTrue(kinds.keys.allSatisfy { $0 == nil || $0 == .cancelled }, "\(kinds)")
        XCTAssertGreaterThan(kinds[.cancelled] ?? 0, 0)
        let response = try await transport.send(server.request("/1", .post, body: bodies[0]))
        XCTAssertEqual(response.text, "ok", "the transport goes on working")
        #if os(Linux)
            // Tasks are let go of a moment after they have ended.
            for _ in 0..<2000 {
                guard Self.openFiles(named: "body") > 0 else { break }
                await Task.yield()
            }
            XCTAssertEqual(Self.openFiles(named: "body"), 0)
            XCTAssertEqual(Self.openFiles(named: "DiscreteNetworking-"), 0)
        #endif
    }

    // MARK: Faults

    func testAServerThatAnswersOrLeavesBeforeItHasReadAll() async throws {
        let body = Self.stream((0..<8).map { _ in Data(count: 1 << 20) })
        let refusing = try LoopbackServer(bodyLimit: 1000) { _ in .text("ok") }
        defer { refusing.stop() }
        let refusal = await transport.outcome(of: refusing.request("/", .post, body: body))
        if case .success(let response) = refusal { XCTAssertEqual(response.status, 413) }
        let leaving = try serve { _ in .fault(.reset) }
        let loss = await transport.outcome(of: leaving.request("/", .post, body: body))
        XCTAssertNotNil(loss.error)
        let port = try LoopbackServer.refusedPort()
        let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)/"))
        let kind = await transport.failure(APIRequest(url: url, method: .post, body: body))
        XCTAssertEqual(kind, .cannotConnect)
    }

    func testAKeptConnectionThatTheServerClosesIsALossAndNothingIsSentTwice() async throws {
        for body in [Data("x".utf8), LoopbackResponse.pattern(count: 100_000)] {
            for shape in [RequestBody.data(body), .file(try file(body)), Self.stream([body])] {
                for method in [HTTPMethod.post, .put] {
                    try await checkKeptConnection(shape, body, method)
                }
            }
        }
    }

    private func checkKeptConnection(_ shape: RequestBody, _ body: Data, _ method: HTTPMethod) async throws {
        let transport = URLSessionTransport()
        let server = try serve { request in request.method == "GET" ? .text("ok") : .fault(.close) }
        _ = try await transport.send(server.request())
        let kind = await transport.failure(server.request("/", method, body: shape))
        #if os(Linux)
            let isAlone = method == .post
        #else
            let isAlone = false
        #endif
        XCTAssertEqual(kind, isAlone ? .badResponse : .connectionLost)
        XCTAssertEqual(server.requests.map(\.method), ["GET", method.rawValue])
        XCTAssertTrue(server.requests.last?.body == body)
        XCTAssertEqual(server.requests.map(\.connection), isAlone ? [1, 2] : [1, 1])
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok", "the transport goes on working")
    }

    #if os(Linux)
        func testAFileThatBecomesShorterIsSaid() async throws {
            let url = try file(Data(count: 32 << 20), "shrinks")
            let server = try serve { _ in .text("ok") }
            var request = server.request("/", .post, body: .file(url))
            request.onProgress = { progress in if progress.sent > 0 { truncate(url.path, 0) } }
            let error = await transport.outcome(of: request).error
            XCTAssertEqual(error?.kind, .bodyUnavailable)
            XCTAssertTrue(error?.message.contains("shrinks") == true)
            await server.waitForOpenConnections(atMost: 0)
            XCTAssertEqual(server.requests.count, 0)
        }

        func testAFileThatGrowsIsSentAsLongAsItWas() async throws {
            let url = try file(LoopbackResponse.pattern(count: 1 << 20))
            let server = try serve { _ in .text("ok") }
            var request = server.request("/", .post, body: .file(url))
            let grows = Locked(true)
            request.onProgress = { _ in
                guard
                    grows.withLock({ grows in
                        defer { grows = false }
                        return grows
                    })
                else { return }
                truncate(url.path, 2 << 20)
            }
            let response = try await transport.send(request)
            XCTAssertEqual(response.text, "ok")
            XCTAssertTrue(server.requests.first?.body == LoopbackResponse.pattern(count: 1 << 20))
        }
    #endif
}
