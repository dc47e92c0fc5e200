import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic
@testable import DiscreteNetworkingTransfers

/// What is kept of calls, and the archive that is made of it.
@MainActor
final class TrafficRecorderTests: XCTestCase {
    private let recorder = TrafficRecorder()

    private func stack(
        _ transport: any Transport, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> Stack {
        Stack(transport, change).observed(by: recorder)
    }

    /// A proxy over the platform's transport, and a server.
    private func wired(_ handler: @escaping LoopbackRoute.Handler) throws -> Stack {
        let server = try serve(handler)
        return stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
        }
    }

    private func log(_ recorder: TrafficRecorder) throws -> JSONValue {
        let archive = recorder.archive()
        // As it is written.
        let written = try JSONValue(parsing: archive.canonicalData)
        XCTAssertEqual(written, archive)
        XCTAssertEqual(HARSchema.problems(of: written), [])
        return try XCTUnwrap(written["log"])
    }

    func testADownloadHasTheSizeOfItsFile() async throws {
        let body = Data(repeating: 0x61, count: 5000)
        let stack = try wired { _ in
            LoopbackResponse(headers: [("Content-Type", "text/plain")], body: .data(body))
        }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let manager = stack.manager(DownloadManager(to: folder.file("a.txt")))
        let file = try await manager.load()
        XCTAssertEqual(file.byteCount, 5000)
        let content = try XCTUnwrap(try log(recorder)["entries"]?[0]?["response"]?["content"])
        XCTAssertEqual(content["size"], 5000)
        XCTAssertEqual(content["comment"], "Written to the file a.txt.")
        XCTAssertNil(content["text"])
        XCTAssertEqual(
            recorder.changes(since: 0, atMost: 1).first.map(recorder.summary)?["size"], 5000,
            "in the inspector")
    }

    func testACallIsAPageAndItsRequestAnEntry() async throws {
        let stack = try wired { _ in .json(teapot).adding("Set-Cookie", "sid=abc; Path=/; HttpOnly") }
        let manager = stack.manager(ProductManager())
        manager.tag = "home"
        _ = try await manager.load(with: ["id": 7, "q": "茶 & 壶"])

        let log = try log(recorder)
        let page = try XCTUnwrap(log["pages"]?[0])
        XCTAssertEqual(page["_manager"], "TestManager<Product>")
        XCTAssertEqual(page["_service"], "test")
        XCTAssertEqual(page["_tag"], "home")
        XCTAssertEqual(page["_params"], ["id": 7, "q": "茶 & 壶"])
        XCTAssertEqual(page["_state"], "succeeded")
        XCTAssertEqual(names(page), ["started", "sent", "received", "decoded", "finished"])
        XCTAssertEqual(log["entries"]?.array?.count, 1)
        let entry = try XCTUnwrap(log["entries"]?[0])
        XCTAssertEqual(entry["pageref"], page["id"])
        XCTAssertEqual(entry["request"]?["method"], "GET")
        XCTAssertEqual(
            entry["request"]?["queryString"],
            [["name": "id", "value": "7"], ["name": "q", "value": "茶 & 壶"]])
        XCTAssertEqual(entry["response"]?["status"], 200)
        XCTAssertEqual(entry["response"]?["content"]?["text"], .string(teapot))
        XCTAssertEqual(entry["response"]?["content"]?["mimeType"], "application/json")
        XCTAssertEqual(
            entry["response"]?["cookies"],
            [["name": "sid", "value": "<redacted>", "path": "/", "httpOnly": true]])
        XCTAssertTrue(entry["_curl"]?.string?.hasPrefix("curl -g") == true)
    }

    func testTheTimeOfAnEntryIsTheSumOfItsPhases() async throws {
        let stack = try wired { _ in .json(teapot) }
        _ = try await stack.manager(ProductManager()).load()

        let entry = try XCTUnwrap(log(recorder)["entries"]?[0])
        let timings = try XCTUnwrap(entry["timings"]?.object)
        let sum = timings.filter { $0.key != "ssl" }.reduce(0) { $0 + max(0, $1.value.double ?? 0) }
        XCTAssertEqual(entry["time"]?.double ?? 0, sum, accuracy: 0.01)
        XCTAssertGreaterThan(sum, 0)
        #if os(Linux)
            XCTAssertEqual(entry["response"]?["httpVersion"], "HTTP/1.1")
            XCTAssertGreaterThanOrEqual(timings["connect"]?.double ?? -1, 0)
        #endif
    }

    func testEveryAttemptAndEveryRedirectIsAnEntryOfItsCall() async throws {
        let stack = try wired { request in
            switch request.path {
            case "/products/detail": .redirect(to: "/moved?token=s3cret-s3cret", status: 307)
            case "/moved": .redirect(to: "/there")
            default: .json("{}", status: 503)
            }
        }
        stack.change { $0.intercept = { $0.attempt == 1 ? .retry : .report } }
        _ = await failure(stack.manager(ProductManager()))

        let log = try log(recorder)
        let entries = try XCTUnwrap(log["entries"]?.array)
        XCTAssertEqual(entries.compactMap { $0["response"]?["status"]?.int }, [307, 302, 503, 307, 302, 503])
        XCTAssertEqual(entries.compactMap { $0["_attempt"]?.int }, [1, 1, 1, 2, 2, 2])
        XCTAssertEqual(Set(entries.map { $0["pageref"] }).count, 1)
        XCTAssertEqual(entries[0]["response"]?["redirectURL"], "/moved?token=<redacted>")
        XCTAssertTrue(entries[1]["request"]?["url"]?.string?.hasSuffix("token=%3Credacted%3E") == true)
        XCTAssertNotNil(entries[2]["_error"])
        XCTAssertFalse(recorder.archive().canonicalText.contains("s3cret"))
        let page = try XCTUnwrap(log["pages"]?[0])
        XCTAssertEqual(page["_errorKind"], "http")
        XCTAssertEqual(
            names(page),
            [
                "started", "sent", "received", "failedAndRepeated", "repeated", "sent", "received", "failed",
                "finished",
            ])
    }

    func testAFailureWithoutAResponseIsAnEntryToo() async throws {
        let port = try LoopbackServer.refusedPort()
        let stack = stack(StandardTransport.make()) {
            $0.baseURL = URL(string: "http://127.0.0.1:\(port)")!
        }
        _ = await failure(stack.manager(ProductManager()))

        let log = try log(recorder)
        let entry = try XCTUnwrap(log["entries"]?[0])
        XCTAssertEqual(entry["response"]?["status"], 0)
        XCTAssertNotNil(entry["_error"])
        XCTAssertNotNil(entry["_end"], "The failure has no time.")
        XCTAssertEqual(entry["response"]?["content"]?["_isSizeUnknown"], true)
        XCTAssertEqual(log["pages"]?[0]?["_errorKind"], "cannotConnect")
        let summary = try XCTUnwrap(recorder.changes(since: 0, atMost: 1).first.map(recorder.summary))
        XCTAssertEqual(summary["errorKind"], "cannotConnect", "in the inspector")
        XCTAssertNil(summary["size"])
    }

    func testTheSizeOfAStreamIsUnknown() async throws {
        let stack = try wired { _ in
            LoopbackResponse(headers: [("Content-Type", "text/plain")], body: .data(Data("a stream".utf8)))
        }
        let stream = try await stack.manager(TestManager<ByteStream>()).load()
        var count = 0
        for try await _ in stream { count += 1 }
        XCTAssertEqual(count, 8)
        let content = try XCTUnwrap(try log(recorder)["entries"]?[0]?["response"]?["content"])
        XCTAssertEqual(content["_isSizeUnknown"], true)
        XCTAssertEqual(content["comment"], "A stream is not recorded.")
        let summary = try XCTUnwrap(recorder.changes(since: 0, atMost: 1).first.map(recorder.summary))
        XCTAssertEqual(summary["status"], 200)
        XCTAssertNil(summary["size"], "in the inspector")
    }

    func testSecretsAreRedactedWhereverTheyAre() async throws {
        let stack = stack(
            ClosureTransport { request in
                TransportResponse(request, json: #"{"id":7,"name":"hunter2-hunter2","token":"abc"}"#)
            }
        ) { $0.extraHeaders = ["Authorization": "Bearer very-secret-token"] }
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        _ = try await manager.load(with: ["password": "hunter2-hunter2", "name": "小红"])

        let text = recorder.archive().canonicalText
        XCTAssertTrue(text.contains("小红"))
        for secret in ["hunter2", "very-secret-token", #""abc""#] {
            XCTAssertFalse(text.contains(secret), secret)
        }
    }

    func testALargeBodyIsCutAndNoSecretIsHalved() async throws {
        // A limit at each byte of a character, which has three.
        for limit in 1000...1002 { try await checkThatALargeBodyIsCut(at: limit) }
    }

    private func checkThatALargeBodyIsCut(at limit: Int) async throws {
        let recorder = TrafficRecorder(limits: .init(body: limit))
        let secret = String(repeating: "x", count: 100)
        let body =
            #"{"id":7,"name":""# + String(repeating: "茶", count: 400) + secret
            + String(
                repeating: "y", count: 20_000) + #""}"#
        let stack = Stack(ClosureTransport(json: body))
        stack.proxy.addObserver(recorder)
        _ = try await stack.manager(ProductManager()).load(with: ["password": secret])

        let content = try XCTUnwrap(log(recorder)["entries"]?[0]?["response"]?["content"])
        XCTAssertEqual(content["size"]?.int, body.utf8.count)
        let text = try XCTUnwrap(content["text"]?.string)
        XCTAssertLessThanOrEqual(text.utf8.count, limit)
        XCTAssertTrue(text.hasSuffix("茶"), "a limit of \(limit) bytes")
        XCTAssertNil(content["encoding"], "a limit of \(limit) bytes")
        XCTAssertEqual(
            content["comment"]?.string, "The first \(text.utf8.count) of \(body.utf8.count) bytes.")
    }

    func testDecodingFailureNamesThePlaceInTheBody() async throws {
        let stack = stack(ClosureTransport(json: #"{"id":"seven","name":"茶壶"}"#))
        _ = await failure(stack.manager(ProductManager()))
        let page = try XCTUnwrap(log(recorder)["pages"]?[0])
        XCTAssertEqual(page["_errorKind"], "decoding")
        XCTAssertEqual(page["_errorPath"], ["id"])
    }

    func testABinaryBodyIsInBase64() async throws {
        let bytes = Data([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 0xFF])
        let stack = stack(
            ClosureTransport { request in
                TransportResponse(
                    url: request.url, status: 200, headers: ["Content-Type": "image/png"],
                    body: .data(bytes))
            })
        _ = try await stack.manager(TestManager<Data>()).load()

        let content = try XCTUnwrap(log(recorder)["entries"]?[0]?["response"]?["content"])
        XCTAssertEqual(content["encoding"], "base64")
        XCTAssertEqual(content["text"]?.string.flatMap { Data(base64Encoded: $0) }, bytes)
    }

    func testTheOldestCallsGoFirstByNumberAndByBytes() async throws {
        let few = TrafficRecorder(limits: .init(calls: 3))
        let small = TrafficRecorder(limits: .init(bytes: 100_000))
        let body = #"{"id":7,"name":""# + String(repeating: "x", count: 40_000) + #""}"#
        let stack = Stack(ClosureTransport(json: body))
        stack.proxy.addObserver(few)
        stack.proxy.addObserver(small)
        for id in 1...5 {
            _ = try await stack.manager(ProductManager()).load(with: ["id": id])
        }

        XCTAssertEqual(try log(few)["pages"]?.array?.compactMap { $0["_params"]?["id"]?.int }, [3, 4, 5])
        XCTAssertEqual(try log(small)["pages"]?.array?.compactMap { $0["_params"]?["id"]?.int }, [4, 5])
        few.removeAll()
        XCTAssertEqual(try log(few)["pages"], [])
    }

    func testWhoAsksForChangesSeesEachCallOnce() async throws {
        let stack = stack(ClosureTransport(json: teapot))
        _ = try await stack.manager(ProductManager()).load()
        _ = try await stack.manager(ProductManager()).load()
        let first = recorder.changes(since: 0, atMost: 1)
        let rest = recorder.changes(since: first[0].revision, atMost: 10)
        XCTAssertEqual(first.count + rest.count, 2)
        XCTAssertLessThan(first[0].requestID, rest[0].requestID)
        XCTAssertEqual(recorder.changes(since: recorder.revision, atMost: 10).count, 0)
    }

    func testFilesAndStreamsAreNamedAndNotRead() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("photo.bin")
        try Data(repeating: 7, count: 3000).write(to: file)
        let stack = try wired { _ in .json(teapot) }
        stack.change {
            $0.adapt = { request, _ in
                request.method = .post
                request.body = .file(file)
            }
        }
        _ = try await stack.manager(ProductManager()).load()

        let data = try XCTUnwrap(log(recorder)["entries"]?[0]?["request"]?["postData"])
        XCTAssertEqual(data["comment"], "The file photo.bin is not recorded.")
        XCTAssertEqual(data["text"], "")
    }

    private func names(_ page: JSONValue) -> [String] {
        page["_steps"]?.array?.compactMap { $0["name"]?.string } ?? []
    }
}
