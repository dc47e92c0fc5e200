import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

typealias StreamManager = TestManager<ByteStream>

/// Bodies that are read while they arrive.
@MainActor
final class ByteStreamTests: XCTestCase {
    private func stream(_ body: ResponseBody, status: Int = 200) async throws -> ByteStream {
        let transport = ClosureTransport { TransportResponse(url: $0.url, status: status, body: body) }
        return try await Stack(transport).manager(StreamManager()).load()
    }

    func testLoadReturnsBeforeTheBodyIsThere() async throws {
        let body = HandFedBody()
        let stream = try await stream(body.body)
        XCTAssertEqual(stream.response.status, 200)
        let iterator = stream.chunks.makeAsyncIterator()
        body.feed("ab")
        let first = try await iterator.next()
        XCTAssertEqual(first, Data("ab".utf8))
        body.feed("c")
        body.end()
        let second = try await iterator.next()
        XCTAssertEqual(second, Data("c".utf8))
        let end = try await iterator.next()
        XCTAssertNil(end)
    }

    func testBytesOverTheWire() async throws {
        let gate = LoopbackGate()
        let server = try serve { _ in
            LoopbackResponse(
                headers: [("Content-Type", "text/plain")],
                body: .stream([
                    .chunk(Data("ab".utf8)), .wait(gate), .chunk(LoopbackResponse.pattern(count: 100_000)),
                ]))
        }
        let stream = try await Stack(server).manager(StreamManager()).load()
        XCTAssertEqual(stream.response.headers["content-type"], "text/plain")
        var bytes: [UInt8] = []
        for try await byte in stream {
            if bytes.isEmpty { gate.open() }
            bytes.append(byte)
        }
        XCTAssertEqual(Data(bytes), Data("ab".utf8) + LoopbackResponse.pattern(count: 100_000))
    }

    func testTheRequestAsksForAStreamWithoutATimeout() async throws {
        let transport = ClosureTransport { TransportResponse(url: $0.url, status: 200) }
        _ = try await Stack(transport).manager(StreamManager()).load()
        XCTAssertEqual(transport.requests.first?.destination, .stream)
        XCTAssertEqual(transport.requests.first?.isOpenEnded, true, "no other call waits for its connection")
        XCTAssertEqual(transport.requests.first?.timeout, .infinity)
    }

    func testATransportThatKnowsOnlyMemoryWillDo() async throws {
        let stream = try await stream(.data(Data("abc".utf8)))
        var text = ""
        for try await chunk in stream.chunks { text += String(decoding: chunk, as: UTF8.self) }
        XCTAssertEqual(text, "abc")
        XCTAssertTrue(stream.response.body.isEmpty)
    }

    // MARK: Failures

    func testAStatusThatIsRefusedHasItsBodyInMemory() async throws {
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 404, body: .pieces(["no such ", "log"]))
        }
        let error = await failure(Stack(transport).manager(StreamManager()))
        XCTAssertEqual(error?.kind, .http(status: 404))
        XCTAssertEqual(error?.response?.body, Data("no such log".utf8))
    }

    func testTheBodyOfARefusalIsBounded() async throws {
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 500, body: .pieces(["12345", "6"]))
        }
        let error = await failure(Stack(transport) { $0.sizeLimit = 5 }.manager(StreamManager()))
        XCTAssertEqual(error?.kind, .http(status: 500))
        XCTAssertEqual(error?.response?.body, Data())
    }

    func testErrorsWhileReadingSayWhichCall() async throws {
        let stream = try await stream(.pieces(["ab"], error: .lost))
        var read = 0
        do {
            for try await _ in stream { read += 1 }
            XCTFail("a lost connection is no end")
        } catch let error as APIError {
            XCTAssertEqual(error.kind, .transport(.lost))
            XCTAssertEqual(error.requestID, stream.response.requestID)
            XCTAssertEqual(error.methodName, "products/detail")
            XCTAssertEqual(error.response?.status, 200)
        }
        XCTAssertEqual(read, 2)
    }

    func testACancelledReaderIsTold() async throws {
        let body = HandFedBody()
        let stream = try await stream(body.body)
        let task = Task.detached { for try await _ in stream {} }
        task.cancel()
        guard case .failure(let error) = await task.result else { return XCTFail("no silent end") }
        XCTAssertEqual((error as? APIError)?.kind, .cancelled)
        await body.abandonment()
    }

    func testTheTimeoutEndsWithTheHead() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(url: request.url, status: 200)
        }
        let error = await failure(Stack(transport) { $0.timeout = 0.01 }.manager(StreamManager()))
        XCTAssertEqual(error?.kind, .timedOut)
        gate.open()
    }

    // MARK: Two readers

    func testASecondLoopAtTheSameTimeIsAnError() async throws {
        let bodies: [(ResponseBody, feed: @Sendable () -> Void)] = [
            {
                let body = HandFedBody()
                return (body.body, { body.feed("ab") })
            }(),
            {
                let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
                return (.stream(stream), { continuation.yield(Data("ab".utf8)) })
            }(),
        ]
        for (body, feed) in bodies {
            let stream = try await stream(body)
            let results = await withTaskGroup(of: Result<Data?, any Error>.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            return .success(try await stream.chunks.makeAsyncIterator().next())
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                let first = await group.next()
                feed()
                return (first, await group.next())
            }
            guard case .failure(let error as APIError)? = results.0 else { return XCTFail("both read") }
            XCTAssertEqual(error.kind, .transfer(.streamInUse))
            guard case .success(let data)? = results.1 else { return XCTFail("the first goes on") }
            XCTAssertEqual(data, Data("ab".utf8))
        }
    }

    // MARK: Whose it is

    func testTheStreamOutlivesItsManagerAndEndsWhenItIsDropped() async throws {
        let body = HandFedBody()
        weak var released: BaseAPIManager?
        var stream: ByteStream?
        do {
            let manager = Stack(
                ClosureTransport { TransportResponse(url: $0.url, status: 200, body: body.body) }
            )
            .manager(StreamManager())
            released = manager
            stream = try await manager.load()
        }
        XCTAssertNil(released)
        body.feed("ab")
        var iterator = stream?.chunks.makeAsyncIterator()
        let chunk = try await iterator?.next()
        XCTAssertEqual(chunk, Data("ab".utf8))
        iterator = nil
        stream = nil
        await body.abandonment()
    }

    func testTheManagerKeepsNoStream() async throws {
        let body = HandFedBody()
        let manager = Stack(ClosureTransport { TransportResponse(url: $0.url, status: 200, body: body.body) })
            .manager(StreamManager())
        _ = try await manager.load()
        await body.abandonment()
        XCTAssertNil(manager.output)
        XCTAssertNil(manager.response?.output)
        XCTAssertEqual(manager.response?.status, 200)
    }

    @MainActor
    final class Taker: APIManagerDelegate {
        var stream: ByteStream?
        func managerDidSucceed(_ manager: BaseAPIManager) { stream = (manager as? StreamManager)?.output }
        func managerDidFail(_ manager: BaseAPIManager) {}
    }

    func testTheDelegateTakesTheStream() async throws {
        let manager = Stack(
            ClosureTransport { TransportResponse(url: $0.url, status: 200, body: .pieces(["ab"])) }
        ).manager(StreamManager())
        let taker = Taker()
        manager.delegate = taker
        manager.loadData()
        await until { taker.stream != nil }
        var count = 0
        for try await _ in try XCTUnwrap(taker.stream) { count += 1 }
        XCTAssertEqual(count, 2)
        XCTAssertNil(manager.output)
    }

    func testReleasingTheManagerBeforeTheHeadCancels() async throws {
        let body = HandFedBody()
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(url: request.url, status: 200, body: body.body)
        }
        do {
            let manager = Stack(transport).manager(StreamManager())
            manager.loadData()
            await gate.arrival()
        }
        gate.open()
        await body.abandonment()
    }

    func testWithoutAReaderTheServerIsHeldUpAndLeavingEndsTheTraffic() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 1 << 30)) }
        do {
            let stream = try await Stack(server).manager(StreamManager()).load()
            var count = 0
            for try await _ in stream {
                count += 1
                if count == 1000 { break }
            }
            XCTAssertEqual(server.openConnections, 1)
        }
        await server.waitForOpenConnections(atMost: 0)
    }
}
