import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Transfers that stop for a while.
@MainActor
final class PauseTests: XCTestCase {
    /// Makes a piece for each time it is asked, and writes down whether it was paused then.
    private final class Tap: Sendable {
        let isPaused = Locked(false)
        let count = Locked(0)
        let violations = Locked(0)

        func stream(_ limit: Int) -> AsyncThrowingStream<Data, any Error> {
            AsyncThrowingStream {
                if self.isPaused.current { self.violations.withLock { $0 += 1 } }
                return self.count.withLock { count in
                    guard count < limit else { return nil }
                    count += 1
                    return Data(count: 10)
                }
            }
        }
    }

    private func yields() async { for _ in 0..<50 { await Task.yield() } }

    /// Pauses, lets the transfer arrive at the gate, sees that nothing is taken, and goes on for ten pieces.
    private func pauseAndGoOn(_ manager: BaseAPIManager, _ tap: Tap) async throws -> Int {
        let gate = try XCTUnwrap(manager.state.running.first?.gate)
        manager.pause()
        manager.pause()
        await until { gate.waiting == 1 }
        let count = tap.count.current
        tap.isPaused.current = true
        await yields()
        XCTAssertEqual(tap.violations.current, 0)
        XCTAssertEqual(tap.count.current, count)
        XCTAssertTrue(manager.isLoading)
        tap.isPaused.current = false
        tap.count.current = 999_990
        manager.resume()
        manager.resume()
        await until { !manager.isLoading }
        return count + 10
    }

    func testAPausedDownloadReadsNothing() async throws {
        let folder = try temporaryFolder()
        let tap = Tap()
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 200, body: .stream(tap.stream(1_000_000)))
        }
        let manager = Stack(transport).manager(DownloadManager(to: folder.file("a")))
        manager.loadData()
        await until { tap.count.current > 0 }
        let pieces = try await pauseAndGoOn(manager, tap)
        XCTAssertEqual(manager.output?.byteCount, Int64(pieces * 10))
    }

    func testAPausedUploadSendsNothing() async throws {
        let tap = Tap()
        let server = try serve { _ in .status(204) }
        let encoding: any ParamEncoding = .stream(length: nil, contentType: "a/b") { tap.stream(1_000_000) }
        let manager = Stack(server).manager(UploadManager<NoContent>(encoding))
        manager.loadData()
        await until { tap.count.current > 0 }
        let pieces = try await pauseAndGoOn(manager, tap)
        XCTAssertNil(manager.error)
        XCTAssertEqual(server.requests.first?.body.count, pieces * 10)
    }

    func testACancelledPauseEnds() async throws {
        let folder = try temporaryFolder()
        let body = HandFedBody()
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 200, headers: ["ETag": "\"a\""], body: body.body)
        }
        let manager = Stack(transport).manager(DownloadManager(to: folder.file("a")))
        let progress = manager.progress
        manager.loadData()
        body.feed("abc")
        for await step in progress where step.received > 0 { break }
        manager.pause()
        manager.cancelAllRequests()
        await until { manager.error != nil }
        XCTAssertEqual(manager.error?.kind, .cancelled)
        await body.abandonment()
    }

    func testAPauseDoesNotConcernWhatStartsLater() async throws {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        manager.pause()
        let product = try await manager.load()
        XCTAssertEqual(product.id, 7)
        manager.resume()
    }

    func testAConnectionLostByAPauseIsTakenUpAgainOnce() async throws {
        let folder = try temporaryFolder()
        let bodies = [HandFedBody(), HandFedBody()]
        let sent = Locked(0)
        let transport = ClosureTransport { request in
            let number = sent.withLock { sent in
                sent += 1
                return sent
            }
            let isRest = request.headers["Range"] != nil
            return TransportResponse(
                url: request.url, status: isRest ? 206 : 200,
                headers: isRest
                    ? ["Content-Range": "bytes 3-9/10"] : ["ETag": "\"a\"", "Content-Length": "10"],
                body: bodies[number - 1].body)
        }
        let manager = Stack(transport).manager(DownloadManager(to: folder.file("a")))
        var steps: [Int64] = []
        manager.onProgress = { steps.append($0.received) }
        manager.loadData()
        bodies[0].feed("012")
        await until { steps.last == 3 }
        manager.pause()
        bodies[0].end(.lost)
        await yields()
        XCTAssertEqual(transport.requests.count, 1, "not before it goes on")
        manager.resume()
        bodies[1].feed("345")
        await until { steps.last == 6 }
        XCTAssertEqual(transport.requests.map { $0.headers["Range"] }, [nil, "bytes=3-"])
        bodies[1].end(.lost)
        await until { manager.error != nil }
        XCTAssertEqual(manager.error?.kind, .transport(.lost), "without a pause it is for the service")
        XCTAssertEqual(try Data(contentsOf: folder.file("a.partial")), Data("012345".utf8))
    }
}
