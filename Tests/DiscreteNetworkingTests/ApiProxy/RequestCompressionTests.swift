import DiscreteNetworkingSigning
import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Compressed bodies of requests: which ones, and what a server that does not accept them causes.
@MainActor
final class RequestCompressionTests: XCTestCase {
    private let long: Params = ["id": 7, "text": String(repeating: "茶壶 ", count: 600)]

    private func manager(_ stack: Stack, _ method: HTTPMethod = .post) -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.requestType = method
        return manager
    }

    private func codings(_ transport: ClosureTransport) -> [String?] {
        transport.requests.map { $0.headers["Content-Encoding"] }
    }

    // MARK: Which bodies

    func testBodiesInMemoryAreCompressedFromASizeOn() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.compression = .gzip }
        let manager = manager(stack)
        for encoding: any ParamEncoding in [.json, .form] {
            manager.ownEncoding = encoding
            _ = try await manager.load(with: long)
            _ = try await manager.load(with: ["id": 7])
        }
        manager.requestType = .get
        _ = try await manager.load(with: ["id": 7])
        XCTAssertEqual(codings(transport), ["gzip", nil, "gzip", nil, nil])
        let sent = transport.requests[0]
        XCTAssertEqual(sent.headers["Content-Type"], "application/json")
        guard case .data(let data) = sent.body else { return XCTFail("\(sent.body)") }
        XCTAssertLessThan(data.count, 200)
        XCTAssertEqual(data.prefix(3), Data([0x1F, 0x8B, 8]))
    }

    func testAManagerHasItsOwnRule() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.compression = .gzip }
        let manager = manager(stack)
        manager.ownCompression = .off
        _ = try await manager.load(with: long)
        manager.ownCompression = .gzip(from: 100_000)
        _ = try await manager.load(with: long)
        manager.ownCompression = .gzip(from: 30)
        _ = try await manager.load(with: ["text": String(repeating: "a", count: 40)])
        let off = Stack(transport)
        let other = self.manager(off)
        _ = try await other.load(with: long)
        other.ownCompression = .gzip
        _ = try await other.load(with: long)
        XCTAssertEqual(codings(transport), [nil, nil, "gzip", nil, "gzip"])
    }

    func testFieldsThatDescribeTheBytesKeepThem() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.compression = .gzip }
        let manager = manager(stack)
        for name in [
            "Content-Encoding", "Content-Digest", "Content-MD5", "Repr-Digest", "Digest", "Content-Range",
        ] {
            manager.ownHeaders = [name: "x"]
            _ = try await manager.load(with: long)
            guard case .data(let data)? = transport.requests.last?.body else { return XCTFail(name) }
            XCTAssertEqual(data.first, UInt8(ascii: "{"), name)
        }
    }

    func testFilesStreamsAndSamplesAreSentAsTheyAre() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.compression = .gzip }
        let manager = manager(stack)
        let file = try temporaryFolder().write("a", Data(count: 100_000))
        for body in [RequestBody.file(file), .stream(length: nil) { AsyncThrowingStream { nil } }] {
            manager.ownEncoding = RawParamEncoding(body, contentType: "text/plain")
            _ = try await manager.load(with: [:])
        }
        XCTAssertEqual(codings(transport), [nil, nil])
        manager.ownEncoding = .json
        manager.ownSample = .json(["id": 7, "name": "x"])
        stack.proxy.sampleMode = .immediate
        _ = try await manager.load(with: long)
        XCTAssertNil(manager.response?.request?.headers["Content-Encoding"])
    }

    // MARK: 415

    /// Answers 415 to compressed bodies.
    private func refusing(_ headers: HTTPFields = [:], always: Bool = false) -> ClosureTransport {
        ClosureTransport { request in
            let isRefused = always || request.headers["Content-Encoding"] != nil
            return TransportResponse(
                url: request.url, status: isRefused ? 415 : 200, headers: isRefused ? headers : [:],
                body: .data(Data(teapot.utf8)))
        }
    }

    func testRefusedCodingIsSentOnceMoreAndTheHostRemembered() async throws {
        let transport = refusing(["Accept-Encoding": "identity, gzip;q=0"])
        let recorder = EventTests.Recorder()
        let signatures = Locked(0)
        let stack = Stack(transport) {
            $0.compression = .gzip
            $0.adapt = { _, _ in signatures.withLock { $0 += 1 } }
        }.observed(by: recorder)
        let manager = manager(stack)
        _ = try await manager.load(with: long)
        XCTAssertEqual(codings(transport), ["gzip", nil])
        XCTAssertEqual(signatures.current, 2, "built again")
        XCTAssertTrue(recorder.names.contains("repeated 0.0"), "\(recorder.names)")
        XCTAssertEqual(recorder.names.last, "finished well")
        _ = try await manager.load(with: long)
        XCTAssertEqual(codings(transport), ["gzip", nil, nil])
        // Another host is another server.
        stack.change { $0.baseURL = URL(string: "https://other.example.com")! }
        _ = try await manager.load(with: long)
        XCTAssertEqual(codings(transport).suffix(2), ["gzip", nil])
        stack.change { $0.baseURL = URL(string: "https://API.example.com:443")! }
        _ = try await manager.load(with: long)
        XCTAssertEqual(codings(transport).suffix(1), [nil])
        stack.clock.advance(by: CompressionRefusals.period)
        _ = try await manager.load(with: long)
        XCTAssertEqual(codings(transport).suffix(2), ["gzip", nil])
    }

    /// 415 is about the media type as well.
    func testOther415IsReported() async throws {
        let always = refusing(always: true)
        let stack = Stack(always) { $0.compression = .gzip }
        for calls in [2, 4] {
            let error = await failure(manager(stack), with: long)
            XCTAssertEqual(error?.kind, .http(status: 415))
            XCTAssertEqual(always.requests.count, calls, "the host is not remembered")
        }
        for value in ["gzip", "br, GZIP;q=0.5", "*"] {
            let accepting = refusing(["Accept-Encoding": value])
            let error = await failure(manager(Stack(accepting) { $0.compression = .gzip }), with: long)
            XCTAssertEqual(error?.kind, .http(status: 415))
            XCTAssertEqual(accepting.requests.count, 1, value)
        }
        let plain = refusing(always: true)
        _ = await failure(manager(Stack(plain) { $0.compression = .gzip }), with: ["id": 7])
        XCTAssertEqual(plain.requests.count, 1)
    }

    func testOtherStatusesAreNotRepeated() async throws {
        let transport = ClosureTransport(json: teapot, status: 400)
        let error = await failure(manager(Stack(transport) { $0.compression = .gzip }), with: long)
        XCTAssertEqual(error?.kind, .http(status: 400))
        XCTAssertEqual(transport.requests.count, 1)
    }

    /// The hosts are as many as a server's redirects and an app's URLs make them.
    func testFewHostsAreRemembered() throws {
        let clock = TestClock()
        let refusals = CompressionRefusals(clock: clock)
        func url(_ number: Int) throws -> URL {
            try XCTUnwrap(URL(string: "https://h\(number).example.com/a"))
        }
        for number in 0..<1000 {
            refusals.note(try url(number))
            clock.advance(by: 1)
        }
        let known = try (0..<1000).filter { refusals.contains(try url($0)) }
        XCTAssertEqual(known, Array((1000 - CompressionRefusals.limit)..<1000))
    }

    // MARK: Signatures

    func testSignaturesCoverTheCompressedBytes() async throws {
        let transport = ClosureTransport(json: teapot)
        let seen = Locked<RequestBody?>(nil)
        struct Digesting: RequestSigner {
            let seen: Locked<RequestBody?>
            func sign(_ request: inout APIRequest, for call: APICall) async throws {
                seen.current = request.body
                request.headers["Content-Digest"] = try await request.body.digest(.sha256).hexadecimal
            }
        }
        let stack = Stack(transport) {
            $0.compression = .gzip
            $0.signer = Digesting(seen: seen)
        }
        _ = try await manager(stack).load(with: long)
        let sent = try XCTUnwrap(transport.requests.first)
        let digest = try await sent.body.digest(.sha256).hexadecimal
        XCTAssertEqual(sent.headers["Content-Digest"], digest)
        XCTAssertEqual(sent.headers["Content-Encoding"], "gzip")
    }

    func testASignatureInTheBodyIsInItsJSONOrForm() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) {
            $0.compression = .gzip
            $0.signer = FieldSigner(key: SigningKey("k"))
        }
        let manager = manager(stack)
        for encoding: any ParamEncoding in [.json, .form] {
            manager.ownEncoding = encoding
            _ = try await manager.load(with: long)
            let sent = try XCTUnwrap(transport.requests.last)
            XCTAssertEqual(sent.headers["Content-Encoding"], "gzip")
            let signature = FieldSigner(key: SigningKey("k")).signature(of: SignedFields(long))
            XCTAssertEqual(sent.uncompressed.body.text?.contains(signature), true)
        }
    }
}

#if os(macOS) || os(Linux)
    /// The same over sockets, to servers that we did not write.
    @MainActor
    final class RequestCompressionServerTests: XCTestCase {
        /// Reads JSON and forms as a server does that knows gzip; one whose path ends with "old" does not.
        private static let program = """
            import gzip, json
            from urllib.parse import parse_qsl
            seen = []
            def answer(path, body):
                if path == '/log': return 200, 'application/json', json.dumps(seen).encode()
                coded = body[:2] == bytes([0x1f, 0x8b])
                seen.append(coded)
                if coded and path.endswith('old'): return 415, 'application/json', b'{}'
                text = (gzip.decompress(body) if coded else body).decode()
                fields = json.loads(text) if text.startswith('{') else dict(parse_qsl(text))
                return 200, 'application/json', json.dumps({'coded': coded, 'text': fields['text']}).encode()
            """

        private let texts = (0..<20).map {
            String(repeating: "青花瓷茶壶\($0)\"\n ", count: 1 + ($0 < 4 ? $0 : 100 * $0))
        }

        private func check(_ make: () -> any Transport, _ path: String, codes: Bool) async throws {
            let server = try servePython(Self.program)
            let stack = Stack(make()) {
                $0.baseURL = server.baseURL
                $0.compression = .gzip
            }
            let manager = stack.manager(TestManager<JSONValue>())
            manager.requestType = .post
            manager.methodName = path
            for encoding: any ParamEncoding in [.json, .form] {
                manager.ownEncoding = encoding
                for text in texts {
                    let output = try await manager.load(with: ["text": text])
                    XCTAssertEqual(output["text"].string, text)
                    XCTAssertEqual(output["coded"].bool, codes && text.utf8.count > 1024)
                }
            }
            manager.requestType = .get
            manager.methodName = "log"
            let log = try await manager.load(with: [:]).array ?? []
            XCTAssertEqual(
                log.filter { $0 == true }.count, codes ? 2 * texts.filter { $0.utf8.count > 1024 }.count : 1)
        }

        func testPythonReadsCompressedBodies() async throws {
            try await check({ StandardTransport.make() }, "new", codes: true)
            try await check({ URLSessionTransport() }, "new", codes: true)
        }

        func testOldServerIsAskedOnlyOnceWithACompressedBody() async throws {
            try await check({ StandardTransport.make() }, "old", codes: false)
        }
    }
#endif
