import DiscreteNetworking
import DiscreteNetworkingSigning
import XCTest

@testable import DiscreteNetworkingContracts

@MainActor
final class CassetteTests: XCTestCase {
    private var file: URL!

    override func setUp() async throws {
        file = try temporaryFolder().appendingPathComponent("tape/test.json")
    }

    private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    private func answer(_ body: Data, type: String? = "application/json", headers: HTTPFields = [:])
        -> TransportResponse
    {
        var headers = headers
        headers["Content-Type"] = type
        return TransportResponse(
            url: URL(string: "https://depot.example.com")!, status: 200, headers: headers, body: .data(body))
    }

    private func record(_ requests: [APIRequest], _ answers: [TransportResponse]) async throws {
        let transport = CassetteTransport(at: file, mode: .record(over: CannedTransport(answers)))
        for request in requests { _ = try await transport.send(request) }
        XCTAssertEqual(transport.problems, [])
    }

    private func replay(_ mode: CassetteTransport.Mode = .replay, ignoring params: Set<String> = [])
        -> CassetteTransport
    {
        CassetteTransport(at: file, mode: mode, matching: CassetteMatching(ignoredParams: params))
    }

    private func get(_ path: String, headers: HTTPFields = [:]) -> APIRequest {
        APIRequest(url: URL(string: "https://depot.example.com/\(path)")!, headers: headers)
    }

    private func post(_ body: String, type: String = "application/json", path: String = "orders")
        -> APIRequest
    {
        var request = get(path, headers: ["Content-Type": type])
        request.method = .post
        request.body = .data(Data(body.utf8))
        return request
    }

    private func mismatch(_ transport: CassetteTransport, _ request: APIRequest) async -> String? {
        do {
            let response = try await transport.send(request)
            XCTFail("answered with \(response.status)")
            return nil
        } catch let error as TransportError {
            XCTAssertEqual(error.kind, .unsupported)
            XCTAssertEqual(error.message, transport.lastMismatch)
            return error.message
        } catch {
            XCTFail("\(error)")
            return nil
        }
    }

    private func body(_ transport: CassetteTransport, _ request: APIRequest) async throws -> String {
        guard case .data(let data) = try await transport.send(request).body else { return "no data" }
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: The same request

    /// Stamps every request anew.
    private final class StampedService: Service {
        let baseURL = URL(string: "https://depot.example.com")!
        func extraHeaders(for call: APICall) -> [String: String] { ["X-Request-ID": UUID().uuidString] }
        func extraParams(for call: APICall) -> Params { ["stamp": UUID().uuidString] }
        func varyingFields(for call: APICall) -> VaryingFields {
            VaryingFields(headers: ["x-request-id"], params: ["stamp"])
        }
        func signer(for call: APICall) -> (any RequestSigner)? { HMACSigner(key: SigningKey("key")) }
    }

    func testReplayIgnoresTheVaryingFieldsOfTheService() async throws {
        for mode in [CassetteTransport.Mode.record(over: CannedTransport(#"{"a":1}"#)), .replay] {
            let transport = replay(mode)
            for method in [HTTPMethod.get, .post] {
                let services = ServiceFactory()
                services.register([.depot: StampedService.self])
                let manager = AnythingManager()
                manager.requestType = method
                manager.proxy = ApiProxy(transport: transport, services: services)
                let answer = try await manager.load(with: ["id": 7])
                XCTAssertEqual(answer, ["a": 1])
            }
            XCTAssertEqual(transport.problems, [])
        }
    }

    /// Traces every request anew.
    private struct TraceIDs: APIPlugin {
        func adapt(_ request: inout APIRequest, for call: APICall) {
            request.headers["X-Trace"] = UUID().uuidString
        }

        var varyingFields: VaryingFields { VaryingFields(headers: ["x-trace"]) }
    }

    func testReplayIgnoresTheVaryingFieldsOfAPlugin() async throws {
        for mode in [CassetteTransport.Mode.record(over: CannedTransport(#"{"a":1}"#)), .replayExactly] {
            let transport = replay(mode)
            let proxy = ApiProxy.depot(over: transport)
            proxy.plugins = [TraceIDs()]
            let manager = AnythingManager()
            manager.proxy = proxy
            _ = try? await manager.load(with: ["id": 7])
            XCTAssertEqual(transport.problems, [])
        }
        XCTAssertTrue(try text.contains("X-Trace"), "it is recorded")
    }

    // MARK: The file

    func testAManagerReplaysWithoutANetwork() async throws {
        let manager = ParcelManager()
        let body = #"{"code":0,"msg":"ok","content":{"id":7,"state":"packed"}}"#
        manager.proxy = .depot(over: CassetteTransport(at: file, mode: .record(over: CannedTransport(body))))
        _ = try await manager.load(with: ["id": 7])

        let cassette = replay(.replayExactly)
        manager.proxy = .depot(over: cassette)
        let parcel = try await manager.load(with: ["id": 7])

        XCTAssertEqual(parcel.id, 7)
        XCTAssertEqual(cassette.problems, [])
        XCTAssertTrue(try text.contains(#""url": "https://depot.example.com/api/parcels/7?cid=1""#))
    }

    func testTheFileIsForReview() async throws {
        try await record(
            [post(#"{"b":1,"a":[1.10]}"#)], [answer(Data(#"{"z":null,"list":[{"id":1},{"id":2}]}"#.utf8))])

        XCTAssertEqual(
            try text,
            """
            {
              "log": {
                "creator": {"name": "DiscreteNetworking", "version": "1"},
                "entries": [
                  {
                    "request": {
                      "headers": [{"name": "Content-Type", "value": "application/json"}],
                      "method": "POST",
                      "postData": {
                        "_json": {"a": [1.10], "b": 1},
                        "mimeType": "application/json"
                      },
                      "url": "https://depot.example.com/orders"
                    },
                    "response": {
                      "content": {
                        "_json": {
                          "list": [{"id": 1}, {"id": 2}],
                          "z": null
                        },
                        "mimeType": "application/json"
                      },
                      "headers": [{"name": "Content-Type", "value": "application/json"}],
                      "status": 200
                    }
                  }
                ],
                "version": "1.2"
              }
            }

            """)
    }

    func testSecretsStayOutOfTheFileAndStillMatch() async throws {
        func requests(_ secret: String) -> [APIRequest] {
            [
                get(
                    "a?token=\(secret)&x=1",
                    headers: ["Authorization": "Bearer \(secret)", "X-Api-Key": secret]),
                post(#"{"user":"me","password":"\#(secret)","pin":4711}"#),
                post("user=me&password=\(secret)", type: "application/x-www-form-urlencoded"),
                post(
                    "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--B--\r\n",
                    type: "multipart/form-data; boundary=B"),
                post("password=\(secret)", type: "text/plain", path: "text"),
                post(
                    "user[pin]=\(secret)&token=\u{301}\(secret)", type: "application/x-www-form-urlencoded",
                    path: "marks"),
            ]
        }
        let login = answer(
            Data(#"{"token":"hunter2","pin":4711,"ok":true,"next":"/a?token=hunter2"}"#.utf8),
            headers: ["Set-Cookie": "sid=hunter2"])
        try await record(requests("hunter2"), [login])

        XCTAssertFalse(try text.contains("hunter2"))
        XCTAssertFalse(try text.contains("4711"))
        let cassette = replay(.replayExactly)
        for request in requests("another") {
            let body = try await body(cassette, request)
            XCTAssertEqual(
                body,
                #"{"next":"/a?token=<redacted>","ok":true,"pin":0,"token":"<redacted>"}"#)
        }
        XCTAssertEqual(cassette.problems, [])
    }

    func testBodiesOfEveryKindComeBack() async throws {
        let binary = Data((0...255).map { UInt8($0) })
        let bodies: [(Data, String?)] = [
            (Data("Grüße,\n在路上".utf8), "text/plain"), (binary, "image/png"), (Data(), nil),
            (Data(#"{"a":1.10}"#.utf8), "application/problem+json"),
            (Data("{no json".utf8), "application/json"),
        ]
        try await record(bodies.indices.map { get("\($0)") }, bodies.map { answer($0.0, type: $0.1) })

        let cassette = replay()
        for (index, body) in bodies.enumerated() {
            guard case .data(let data) = try await cassette.send(get("\(index)")).body else {
                return XCTFail()
            }
            XCTAssertEqual(data, body.0)
        }
        XCTAssertTrue(try text.contains(#""encoding": "base64""#))
    }

    func testLargeRequestsAndFilesMatchByWhatTheyHold() async throws {
        let upload = file.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "u.bin")
        try Data(repeating: 7, count: 2 << 20).write(to: upload)
        var request = get("upload")
        request.method = .put
        request.body = .file(upload)
        try await record([request], [answer(Data("{}".utf8))])
        XCTAssertLessThan(try text.utf8.count, 1000)

        _ = try await replay().send(request)
        request.body = .stream(length: nil) { AsyncThrowingStream { $0.finish() } }
        let text = await mismatch(replay(), request)

        XCTAssertTrue(text?.contains("body: recorded 2097152 bytes with SHA-256") == true, text ?? "")
    }

    func testStreamsAreRecordedAsTheyPass() async throws {
        var request = get("events")
        request.destination = .stream
        var events = answer(Data(), type: "text/event-stream")
        events.body = .stream(
            AsyncThrowingStream { continuation in
                for piece in ["data: 1\n\n", "data: 2\n\n"] { continuation.yield(Data(piece.utf8)) }
                continuation.finish()
            })
        let recorder = CassetteTransport(at: file, mode: .record(over: CannedTransport([events])))
        var pieces: [String] = []
        if case .stream(let stream) = try await recorder.send(request).body {
            for try await piece in stream { pieces.append(String(decoding: piece, as: UTF8.self)) }
        }
        XCTAssertEqual(pieces, ["data: 1\n\n", "data: 2\n\n"])

        guard case .stream(let stream) = try await replay().send(request).body else { return XCTFail() }
        var replayed = ""
        for try await piece in stream { replayed += String(decoding: piece, as: UTF8.self) }

        XCTAssertEqual(replayed, "data: 1\n\ndata: 2\n\n")
    }

    /// The parts that a recording has of a stream that ends as told.
    private func record(_ head: TransportResponse, _ pieces: [String], ends: Bool) -> (
        CassetteTransport, AsyncThrowingStream<Data, any Error>.Continuation
    ) {
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        for piece in pieces { continuation.yield(Data(piece.utf8)) }
        if ends { continuation.finish() }
        var head = head
        head.body = .stream(stream)
        return (CassetteTransport(at: file, mode: .record(over: CannedTransport([head]))), continuation)
    }

    func testAStreamThatNobodyReadsIsInTheFileAtOnce() async throws {
        var last = answer(Data(), type: nil)
        last.status = 204
        let (recorder, continuation) = record(last, [], ends: false)
        var request = get("events")
        request.destination = .stream
        let response = try await recorder.send(request)

        let replayed = try await replay().send(request)
        XCTAssertEqual(replayed.status, 204)
        XCTAssertFalse(try text.contains("_truncated"))
        withExtendedLifetime((response, continuation)) {}
    }

    func testAStreamThatIsStillOpenIsWrittenAsFarAsItCame() async throws {
        let (recorder, continuation) = record(
            answer(Data(), type: "text/event-stream"), ["data: 1\n\n", "data: 2\n\n"], ends: false)
        var request = get("events")
        request.destination = .stream
        guard case .stream(let stream) = try await recorder.send(request).body else { return XCTFail() }
        var pieces = stream.makeAsyncIterator()
        _ = try await pieces.next()
        XCTAssertEqual(recorder.problems, [])
        XCTAssertTrue(try text.contains(#""text": "data: 1\n\n""#))
        XCTAssertTrue(try text.contains("_truncated"))

        _ = try await pieces.next()
        continuation.finish()
        let end = try await pieces.next()
        XCTAssertNil(end)
        XCTAssertTrue(try text.contains(#""text": "data: 1\n\ndata: 2\n\n""#))
        XCTAssertFalse(try text.contains("_truncated"))
    }

    // MARK: Matching

    func testTheSameRequestGetsItsAnswersInOrderAndThenTheLastAgain() async throws {
        try await record([get("a"), get("b"), get("a")], ["1", "2", "3"].map { answer(Data($0.utf8)) })

        let cassette = replay()
        var bodies: [String] = []
        for path in ["b", "a", "a", "a"] { bodies.append(try await body(cassette, get(path))) }

        XCTAssertEqual(bodies, ["2", "1", "3", "3"])
        XCTAssertEqual(cassette.problems, [])
    }

    func testOrderOfNamesAndTheMachinesHeadersDoNotCount() async throws {
        try await record(
            [get("a?x=1&y=2", headers: ["A": "1", "B": "2", "User-Agent": "old"])], [answer(Data("1".utf8))])

        _ = try await replay().send(get("a?y=2&x=1", headers: ["b": "2", "a": "1", "User-Agent": "new"]))
    }

    func testIgnoredParamsMayDiffer() async throws {
        try await record([get("a?time=1"), post(#"{"l":[{"nonce":1,"x":2}]}"#)], [answer(Data("1".utf8))])

        let cassette = replay(ignoring: ["time", "nonce"])
        _ = try await cassette.send(get("a?time=2"))
        _ = try await cassette.send(post(#"{"l":[{"nonce":9,"x":2}]}"#))
        let text = await mismatch(cassette, post(#"{"l":[{"nonce":9,"x":3}]}"#))

        XCTAssertTrue(text?.hasSuffix(":\n  body l.0.x: recorded 2, now 3") == true, text ?? "")
    }

    func testAMismatchNamesTheNearestAndEveryDifference() async throws {
        try await record(
            [get("parcels?page=1&size=3", headers: ["X-Shop": "1"]), get("other")], [answer(Data("1".utf8))])

        let cassette = replay()
        let text = await mismatch(cassette, get("parcels?page=2&sort=up", headers: ["X-Shop": "2"]))

        XCTAssertEqual(
            text,
            """
            test.json has no response to request 1, GET https://depot.example.com/parcels?page=2&sort=up. \
            Nearest is request 1, GET https://depot.example.com/parcels?page=1&size=3:
              query page: recorded "1", now "2"
              query size: recorded "3", now none
              query sort: recorded none, now "up"
              header x-shop: recorded "1", now "2"
            """)
        XCTAssertEqual(cassette.problems, [text])
    }

    func testMethodServerPathAndBodyAreCompared() async throws {
        try await record([post(#"{"a":1}"#)], [answer(Data("1".utf8))])
        var request = post("hello", type: "application/json", path: "elsewhere")
        request.method = .put
        request.url = URL(string: "http://depot.example.com:81/elsewhere")!

        let text = await mismatch(replay(), request)

        XCTAssertTrue(
            text?.hasSuffix(
                """
                :
                  method: recorded POST, now PUT
                  server: recorded https://depot.example.com, now http://depot.example.com:81
                  path: recorded /orders, now /elsewhere
                  body: recorded {"a":1}, now "hello"
                """) == true, text ?? "")
    }

    func testExactReplayNeedsTheRecordedOrder() async throws {
        try await record([get("a"), get("b"), get("c")], [answer(Data("1".utf8))])

        let cassette = replay(.replayExactly)
        _ = try await cassette.send(get("a"))
        let wrong = await mismatch(cassette, get("c"))
        _ = try await cassette.send(get("b"))

        XCTAssertEqual(
            wrong,
            """
            test.json: request 2 is not as recorded, GET https://depot.example.com/b:
              path: recorded /b, now /c
            """)
        XCTAssertEqual(
            cassette.problems,
            [
                wrong,
                "test.json: request 3, GET https://depot.example.com/c, was recorded and not sent.",
            ])
        _ = try await cassette.send(get("c"))
        let more = await mismatch(cassette, get("d"))
        XCTAssertEqual(
            more, "test.json has 3 requests, and there was one more: GET https://depot.example.com/d.")
    }

    // MARK: Damage

    func testNoFileAndDamagedFiles() async throws {
        let missing = await mismatch(replay(), get("a"))
        XCTAssertEqual(missing, "There is no cassette test.json; record one with .record(over:).")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        for (text, message) in [
            ("{", "The cassette test.json is damaged: it is not JSON: Invalid JSON at line 1, column 2"),
            ("{}", "The cassette test.json is damaged: it has no log.entries. Record it again."),
            (#"{"log":{"entries":[{}]}}"#, "log.entries[0].request needs a method and a url."),
            (
                #"{"log":{"entries":[{"request":{"method":"GET","url":"u"},"response":{"status":0}}]}}"#,
                "log.entries[0].response needs a status."
            ),
            (
                #"{"log":{"entries":[{"request":{"method":"GET","url":"u"},"response":{"status":200,"content":{"text":"?","encoding":"base64"}}}]}}"#,
                "log.entries[0].response.content.text is not base64."
            ),
        ] {
            try Data(text.utf8).write(to: file)
            let found = await mismatch(replay(), get("a"))
            XCTAssertTrue(found?.contains(message) == true, found ?? "")
        }
    }

    func testAFileThatCannotBeWritten() async throws {
        try Data().write(to: file.deletingLastPathComponent())
        let transport = CassetteTransport(at: file, mode: .record(over: CannedTransport("1")))

        let text = await mismatch(transport, get("a"))

        XCTAssertEqual(text, "The cassette test.json cannot be written.")
    }

    func testAnAnswerPastTheLimit() async throws {
        try await record([get("a")], [answer(Data("[1,2,3]".utf8))])
        var request = get("a")
        request.destination = .memory(limit: 3)

        do {
            _ = try await replay().send(request)
            XCTFail("answered")
        } catch {
            XCTAssertEqual((error as? TransportError)?.kind, .responseTooLarge(limit: 3))
        }
    }
}
