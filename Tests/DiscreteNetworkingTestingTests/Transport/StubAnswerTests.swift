import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@MainActor
final class StubAnswerTests: XCTestCase {
    private func fails(with answer: StubAnswer, _ expected: ExpectedFailure, line: UInt = #line) async {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: answer)
        await assertFails(stack.product(), with: ["id": 7], expected, line: line)
    }

    func testEveryKindOfFailureThatATransportCanCause() async {
        await fails(with: .failure(.timedOut), .timedOut)
        await fails(with: .failure(.cancelled), .cancelled)
        await fails(with: .failure(.notConnectedToInternet), .notReachable)
        await fails(with: .failure(.plainHTTPRefused), .invalidRequest)
        let kinds: [TransportError.Kind] = [
            .cannotFindHost, .cannotConnect, .connectionLost, .secureConnectionFailed,
            .serverCertificateUntrusted, .publicKeyNotPinned, .clientCertificateRejected, .bodyUnavailable,
            .badResponse, .responseTooLarge(limit: 1), .redirectRefused, .unsupported, .unknown,
        ]
        for kind in kinds { await fails(with: .failure(kind), .transport(kind)) }
        await fails(with: .status(404), .http(status: 404))
        await fails(with: .json(["code": 1001, "msg": "商品不存在"]), .business(code: 1001, message: "商品不存在"))
        await fails(with: .json(["code": 0, "content": ["id": "7"]]), .decoding(at: "content.id"))
        await fails(with: .text("<html>"), .decoding())
        await fails(with: ShopStack.teapot.breakingOff(after: 5), .transport(.connectionLost))
    }

    func testAnswersFromEncodablesAndFiles() async throws {
        struct Answer: Encodable {
            var code = 0
            var content = Product(id: 7, name: "茶壶")
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try JSONEncoder().encode(Answer()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for answer in [StubAnswer.json(encoding: Answer()), .file(file), .fixture("Fixtures/teapot.json")] {
            let stack = ShopStack()
            stack.stubs.on(.any, answer: answer.adding("ETag", "v1"))
            let manager = stack.product()
            await assertSucceeds(manager, with: ["id": 7]) { XCTAssertEqual($0.name, "茶壶") }
            XCTAssertEqual(manager.response?.headers["ETag"], "v1")
            XCTAssertEqual(manager.response?.headers["Content-Type"], "application/json")
        }
    }

    func testAContentTypeTakesThePlaceOfTheStubsOwn() async {
        let stack = ShopStack()
        stack.stubs.on(
            .any,
            answer: ShopStack.teapot.adding("content-type", "application/problem+json")
                .adding("Set-Cookie", "a=1").adding("Set-Cookie", "b=2"))
        let manager = stack.product()
        await assertSucceeds(manager, with: ["id": 7])
        let headers = manager.response?.headers ?? [:]
        XCTAssertEqual(
            headers.filter { $0.name == "Content-Type" }.map(\.value),
            ["application/problem+json"])
        XCTAssertEqual(headers.filter { $0.name == "Set-Cookie" }.map(\.value), ["a=1", "b=2"])
    }

    func testAFileThatIsNotThereIsReportedAtTheStub() async {
        let stubs = StubTransport()
        await assertCaught("nothing.json could not be read") {
            stubs.on(.any, answer: .fixture("nothing.json"))
        }
    }

    func testAnAnswerWaitsForTheClock() async {
        let stack = ShopStack()
        let clock = TestClock()
        stack.stubs.on(.any, answer: ShopStack.teapot.after(30, by: clock))
        let manager = stack.product()
        let recorder = ManagerRecorder(manager)
        manager.loadData(with: ["id": 7])
        await clock.waitForSleepers()
        clock.advance(by: 29)
        XCTAssertEqual(clock.sleepers, 1)
        XCTAssertTrue(manager.isLoading)
        clock.advance(by: 1)
        await recorder.waitForEvents(6)
        XCTAssertEqual(manager.output?.id, 7)
    }

    func testNoAnswerEndsWithTheCall() async {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: .never)
        let manager = stack.product()
        await assertCancelled(manager, with: ["id": 7]) {
            await stack.stubs.waitForRequests()
            manager.cancelAllRequests()
        }
    }

    func testResponseInPiecesReportsProgress() async {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: ShopStack.teapot.inPieces(of: 20))
        let manager = stack.product()
        let received = Locked<[Int64]>([])
        manager.onProgress = { step in received.withLock { $0.append(step.received) } }
        await assertSucceeds(manager, with: ["id": 7])
        XCTAssertEqual(received.current.last, Int64(manager.response?.body.count ?? 0))
    }

    func testAStreamComesPieceByPieceAndBreaksOff() async throws {
        let stack = ShopStack()
        let clock = TestClock()
        stack.stubs.on(
            FeedManager.self,
            answer: .text("abcdef").inPieces(of: 2, every: 1, by: clock).breakingOff(after: 4))
        let manager = FeedManager()
        manager.proxy = stack.proxy
        let pieces = try await manager.load().chunks.makeAsyncIterator()
        let first = try await pieces.next()
        XCTAssertEqual(first, Data("ab".utf8))
        let advance = Task {
            await clock.waitForSleepers()
            clock.advance(by: 1)
        }
        let second = try await pieces.next()
        XCTAssertEqual(second, Data("cd".utf8))
        await advance.value
        do {
            _ = try await pieces.next()
            XCTFail("The stream should have broken off.")
        } catch {
            guard case .transport(let error)? = (error as? APIError)?.kind else { return XCTFail("\(error)") }
            XCTAssertEqual(error.kind, .connectionLost)
        }
    }
}
