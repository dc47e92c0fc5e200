import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// Changed bodies in caches, in shared exchanges, in logs, and in the time that a call has.
@MainActor
final class BodyTransformCacheTests: XCTestCase {
    private let seal = Seal()

    /// Answers with what is sealed, and with 304 where it is asked by an entity tag.
    private func sealed(_ json: String = teapot, headers: HTTPFields = [:]) -> ClosureTransport {
        ClosureTransport { [seal] request in
            TransportResponse(
                url: request.url, status: request.headers["If-None-Match"] == nil ? 200 : 304,
                headers: headers,
                body: .data(request.headers["If-None-Match"] == nil ? seal.seal(Data(json.utf8)) : Data()))
        }
    }

    private func rules(_ rules: inout TestService.Rules) { rules.transform = { _ in SealedBodies() } }

    /// A sealed response is kept as it is, and opened when it is read.
    func testAResponseIsStoredAsReceived() async throws {
        let cache = MemoryCache()
        let transport = sealed()
        let stack = Stack(transport, disk: cache, rules)
        let manager = stack.manager(ProductManager())
        manager.ownCache = .disk
        _ = try await manager.load()
        let call = manager.call([:])
        let key = await stack.proxy.cacheKey(of: call)
        let stored = cache.response(for: try XCTUnwrap(key))
        XCTAssertEqual(try seal.open(try XCTUnwrap(stored).body).utf8Text, teapot)
        stack.clock.advance(by: 100)
        let again = try await manager.load()
        XCTAssertEqual(again.id, 7)
        XCTAssertEqual(manager.response?.age ?? 0, 100, accuracy: 0.001)
        XCTAssertEqual(transport.requests.count, 1)
        // Sealed with a key that is no longer used: the same as not stored.
        stack.change { $0.transform = { _ in SealedBodies(Seal(key: 9)) } }
        let error = await failure(manager)
        guard case .decoding? = error?.kind else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(transport.requests.count, 2)
    }

    /// Its sealed body differs each time; its plain one does not.
    func testARequestIsTheSameByItsPlainBody() async throws {
        let transport = sealed()
        let stack = Stack(transport, rules)
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        manager.ownCache = .memory
        for id in [1, 1, 2] { _ = try await manager.load(with: ["id": .init(id)]) }
        XCTAssertEqual(transport.requests.count, 2)
    }

    func testARevalidatedResponseHasNoBodyToOpen() async throws {
        let transport = sealed(headers: ["ETag": "\"1\""])
        let stack = Stack(transport, rules)
        let manager = stack.manager(ProductManager())
        manager.ownCache = CachePolicy(.revalidate)
        for _ in 1...3 {
            let product = try await manager.load()
            XCTAssertEqual(product.id, 7)
        }
        XCTAssertEqual(transport.requests.compactMap { $0.headers["If-None-Match"] }.count, 2)
    }

    func testASharedExchangeIsOpenedByEachCall() async throws {
        let gate = Gate()
        let transport = ClosureTransport { [seal] request in
            await gate.pass()
            return TransportResponse(url: request.url, status: 200, body: .data(seal.seal(Data(teapot.utf8))))
        }
        let stack = Stack(transport) {
            rules(&$0)
            $0.sharing = true
        }
        let manager = stack.manager(ProductManager())
        async let first = manager.load()
        await gate.arrival()
        async let second = manager.load()
        await until { stack.proxy.requestIDs.count == 2 }
        for _ in 1...50 { await Task.yield() }
        gate.open()
        let ids = [try await first.id, try await second.id]
        XCTAssertEqual(ids, [7, 7])
    }

    /// What is only wrapped could be unwrapped by whoever reads the log.
    func testNoSecretIsInTheLogInAnyForm() async throws {
        let wrap = ClosureTransform(
            onRequest: { $0.body = try $0.body.map { $0.base64EncodedData() } },
            onResponse: { $0.body = try XCTUnwrap(Data(base64Encoded: $0.body)) })
        let answer = Data(#"{"id":7,"name":"x","token":"s3cr3t-token"}"#.utf8).base64EncodedString()
        let transport = ClosureTransport(json: answer)
        let lines = Locked<[String]>([])
        let stack = Stack(transport) { $0.transform = { _ in wrap } }
        stack.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
        let recorder = TrafficRecorder()
        stack.proxy.addObserver(recorder)
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        _ = try await manager.load(with: ["password": "s3cr3t-password"])
        let text = lines.current.joined(separator: "\n") + recorder.archive().canonicalText
        XCTAssertFalse(text.contains("s3cr3t"), text)
        let sent = try XCTUnwrap(transport.requests.first)
        guard case .data(let body) = sent.body else { return XCTFail("\(sent)") }
        XCTAssertFalse(text.contains(body.utf8Text), text)
        XCTAssertFalse(text.contains(answer), text)
        XCTAssertTrue(
            lines.current.joined().contains(#""name":"x""#),
            "what is not secret is readable: \(lines.current)")
        XCTAssertTrue(sent.curlCommand(redaction: .none).contains(body.utf8Text), "exact, if asked by name")
    }

    func testABodyThatCannotBeDecodedIsNotQuoted() async {
        let lines = Locked<[String]>([])
        let recorder = TrafficRecorder()
        let stack = Stack(ClosureTransport(json: "token=s3cr3t-token", status: 502), rules)
        stack.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
        stack.proxy.addObserver(recorder)
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .http(status: 502))
        let text = lines.current.joined() + recorder.archive().canonicalText + "\(String(describing: error))"
        XCTAssertFalse(text.contains("s3cr3t"), text)
        XCTAssertTrue(text.contains("18 bytes that are not shown"), text)
    }

    /// The code of a transform may hang and heed no cancellation.
    func testTheTimeoutHoldsWhileATransformRuns() async throws {
        let gate = Gate()
        for transform in [
            ClosureTransform(onRequest: { _ in await gate.pass() }),
            ClosureTransform(onResponse: { _ in await gate.pass() }),
        ] {
            let stack = Stack(sealed()) {
                $0.timeout = 0.05
                $0.transform = { _ in transform }
            }
            let manager = stack.manager(ProductManager())
            manager.requestType = .post
            let error = await failure(manager, with: ["a": 1])
            XCTAssertEqual(error?.kind, .timedOut)
        }
        gate.open()
    }

    func testACallIsCanceledWhileATransformRuns() async throws {
        for isRequest in [true, false] {
            let gate = Gate()
            let wait: @Sendable () async -> Void = { await gate.pass() }
            let transform =
                isRequest
                ? ClosureTransform(onRequest: { _ in await wait() })
                : ClosureTransform(onResponse: { _ in await wait() })
            let stack = Stack(sealed()) { $0.transform = { _ in transform } }
            let manager = stack.manager(ProductManager())
            manager.requestType = .post
            let task = Task { await failure(manager, with: ["a": 1]) }
            await gate.arrival()
            task.cancel()
            let error = await task.value
            XCTAssertEqual(error?.kind, .cancelled)
            gate.open()
        }
    }
}
