import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Who hears how far a transfer has come.
@MainActor
final class ProgressTests: XCTestCase {
    private final class Bar: APIManagerProgressDelegate {
        var steps: [TransferProgress] = []
        func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress) { steps.append(progress) }
    }

    private final class BarAndScreen: APIManagerDelegate, APIManagerProgressDelegate {
        var events: [String] = []
        func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress) {
            events.append("\(progress.received)")
        }
        func managerDidSucceed(_ manager: BaseAPIManager) { events.append("success") }
        func managerDidFail(_ manager: BaseAPIManager) { events.append("failure") }
    }

    private func download(_ pieces: [Data], headers: HTTPFields = [:], error: TransportError? = nil)
        -> ClosureTransport
    {
        ClosureTransport {
            TransportResponse(url: $0.url, status: 200, headers: headers, body: .pieces(pieces, error: error))
        }
    }

    func testEveryWayHearsOfADownloadAndOfItsEndBeforeTheOutcome() async throws {
        let folder = try temporaryFolder()
        let manager = Stack(
            download([Data(count: 600), Data(count: 400)], headers: ["Content-Length": "1000"])
        ).manager(DownloadManager(to: folder.file("a")))
        let bar = Bar()
        manager.progressDelegate = bar
        var heard: [TransferProgress] = []
        manager.onProgress = { heard.append($0) }
        let progress = manager.progress
        _ = try await manager.load()
        XCTAssertEqual(bar.steps, heard)
        XCTAssertEqual(heard.last?.received, 1000)
        XCTAssertEqual(heard.last?.expectedToReceive, 1000)
        XCTAssertEqual(heard.map(\.received), heard.map(\.received).sorted())
        var newest: TransferProgress?
        for await step in progress {
            newest = step
            break
        }
        XCTAssertEqual(newest, heard.last, "a slow reader gets the newest")
    }

    func testTheDelegateItselfHearsItWhereItCan() async throws {
        let folder = try temporaryFolder()
        let manager = Stack(download([Data(count: 600)])).manager(DownloadManager(to: folder.file("a")))
        let screen = BarAndScreen()
        manager.delegate = screen
        _ = try await manager.load()
        XCTAssertEqual(screen.events.last, "success")
        XCTAssertEqual(screen.events.dropLast().last, "600")
        let failing = Stack(download([Data(count: 5)], error: .lost))
            .manager(DownloadManager(to: folder.file("a")))
        let other = BarAndScreen()
        failing.delegate = other
        _ = await failure(failing)
        XCTAssertEqual(other.events.suffix(2), ["5", "failure"])
    }

    func testAResumedDownloadBeginsWhereItWas() async throws {
        let folder = try temporaryFolder()
        let transport = ClosureTransport { request in
            guard request.headers["Range"] != nil else {
                return TransportResponse(
                    url: request.url, status: 200, headers: ["ETag": "\"a\"", "Content-Length": "1000"],
                    body: .pieces([Data(count: 400)], error: .lost))
            }
            return TransportResponse(
                url: request.url, status: 206, headers: ["Content-Range": "bytes 400-999/1000"],
                body: .pieces([Data(count: 600)]))
        }
        let stack = Stack(transport)
        _ = await failure(stack.manager(DownloadManager(to: folder.file("a"))))
        let manager = stack.manager(DownloadManager(to: folder.file("a")))
        var heard: [TransferProgress] = []
        manager.onProgress = { heard.append($0) }
        _ = try await manager.load()
        XCTAssertTrue(heard.allSatisfy { $0.received >= 400 && $0.expectedToReceive == 1000 }, "\(heard)")
        XCTAssertEqual(heard.last?.received, 1000)
    }

    func testAnUploadOverTheWire() async throws {
        let file = try temporaryFolder().write("a", Data(count: 3_000_000))
        let server = try serve { _ in .text("thanks") }
        let manager = Stack(server).manager(UploadManager<String>(.file(file, contentType: "a/b")))
        var heard: [TransferProgress] = []
        manager.onProgress = { heard.append($0) }
        _ = try await manager.load()
        XCTAssertEqual(heard.last?.sent, 3_000_000)
        XCTAssertEqual(heard.last?.expectedToSend, 3_000_000)
        XCTAssertEqual(heard.map(\.sent), heard.map(\.sent).sorted())
    }

    func testWhereNobodyListensNothingIsCounted() async throws {
        let transport = ClosureTransport(json: teapot)
        let manager = Stack(transport).manager(ProductManager())
        let screen = Screen()
        manager.delegate = screen
        _ = try await manager.load()
        XCTAssertNil(transport.requests[0].onProgress)
        manager.onProgress = { _ in }
        _ = try await manager.load()
        XCTAssertNotNil(transport.requests[1].onProgress)
    }

    func testNothingIsToldAfterTheOutcome() async throws {
        let transport = ClosureTransport(json: teapot)
        let manager = Stack(transport).manager(ProductManager())
        var heard = 0
        manager.onProgress = { _ in heard += 1 }
        _ = try await manager.load()
        var late = TransferProgress()
        late.received = 5
        transport.requests[0].onProgress?(late)
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(heard, 0)
    }

    func testSomebodyWhoStoppedListeningIsForgotten() async throws {
        let transport = ClosureTransport(json: teapot)
        let manager = Stack(transport).manager(ProductManager())
        do {
            let task = Task { [progress = manager.progress] in for await _ in progress {} }
            task.cancel()
            await task.value
        }
        _ = try await manager.load()
        XCTAssertNil(transport.requests[0].onProgress)
    }

    func testReleasingTheManagerEndsTheSequence() async {
        var manager: ProductManager? = ProductManager()
        let progress = manager?.progress
        manager = nil
        for await _ in progress! { XCTFail("nothing was told") }
    }

    // MARK: Coalescing

    func testAFastTransferVisitsTheMainActorOnce() async {
        var told: [Int64] = []
        let visits = Locked(0)
        let reporter = ProgressReporter(
            visit: { work in
                visits.withLock { $0 += 1 }
                Task { @MainActor in work() }
            }, tell: { told.append($0.received) })
        // Nothing else can run on the main actor meanwhile.
        for count in 1...10_000 { reporter.report(received: Int64(count), of: nil) }
        XCTAssertEqual(told, [])
        await until { !told.isEmpty }
        XCTAssertEqual(told, [10_000])
        XCTAssertEqual(visits.current, 1)
        reporter.report(received: 10_001, of: nil)
        reporter.end()
        XCTAssertEqual(told, [10_000, 10_001], "the last one is told before the outcome")
        reporter.report(received: 10_002, of: nil)
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(told, [10_000, 10_001], "and nothing after it")
    }

    func testBothDirectionsStandSideBySide() async {
        var told: TransferProgress?
        let reporter = ProgressReporter(tell: { told = $0 })
        var out = TransferProgress()
        (out.sent, out.expectedToSend) = (5, 10)
        reporter.report(out)
        var back = TransferProgress()
        back.received = 7
        reporter.report(back)
        reporter.end()
        XCTAssertEqual(told?.sent, 5)
        XCTAssertEqual(told?.expectedToSend, 10)
        XCTAssertEqual(told?.received, 7)
    }
}
