import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// What reads the body of a request that is sent compressed: caches, recordings, logs, redaction, tests.
@MainActor
final class CompressedBodyReadersTests: XCTestCase {
    private let params: Params = [
        "password": "s3cr3t-password", "name": "茶壶" + String(repeating: "x", count: 3000),
    ]

    private func manager(
        _ transport: any Transport, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> TestManager<JSONValue> {
        let manager = Stack(transport) {
            $0.compression = .gzip
            change(&$0)
        }.manager(TestManager<JSONValue>())
        manager.requestType = .post
        return manager
    }

    func testCompressionIsNoPartOfAnIdentity() async throws {
        let manager = manager(ClosureTransport(json: "{}"))
        let compressed = try await manager.request(with: params)
        XCTAssertEqual(compressed.headers["Content-Encoding"], "gzip")
        manager.ownCompression = .off
        let plain = try await manager.request(with: params)
        XCTAssertEqual(RequestIdentity(compressed), RequestIdentity(plain))
        XCTAssertEqual(compressed.curlCommand(), plain.curlCommand())
        XCTAssertEqual(compressed.uncompressed.body.text, plain.body.text)
    }

    func testCommandsAreReadableAndExactIfAskedByName() async throws {
        let request = try await manager(ClosureTransport(json: "{}")).request(with: params)
        let command = request.curlCommand()
        XCTAssertTrue(command.contains("茶壶xxx"), command)
        XCTAssertFalse(command.contains("s3cr3t"), command)
        XCTAssertFalse(command.contains("Content-Encoding"), command)
        let exact = request.curlCommand(redaction: .none)
        XCTAssertTrue(exact.hasPrefix(#"printf '\037\213"#), exact)
        XCTAssertTrue(exact.contains("Content-Encoding: gzip"), exact)
    }

    func testRecordingsHaveTheReadableBody() async throws {
        let lines = Locked<[String]>([])
        let manager = manager(ClosureTransport(json: #"{"echo":"s3cr3t-password"}"#))
        manager.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
        let recorder = TrafficRecorder()
        manager.proxy.addObserver(recorder)
        _ = try await manager.load(with: params)
        let archive = recorder.archive()
        let text = lines.current.joined() + archive.canonicalText
        XCTAssertFalse(text.contains("s3cr3t"), text)
        let request = archive["log"]["entries"][0]["request"]
        let body = request["postData"] ?? .null
        XCTAssertEqual(body["text"].string?.contains("茶壶xxx"), true, "\(body)")
        let size = try XCTUnwrap(request["bodySize"].int)
        XCTAssertLessThan(size, 200)
        XCTAssertEqual(body["comment"].string, "Sent compressed, as \(size) bytes.")
        XCTAssertTrue(lines.current.joined().contains("茶壶xxx"), "\(lines.current)")
    }

    func testALongBodyIsCutInTheRecording() async throws {
        let manager = manager(ClosureTransport(json: "{}"))
        let recorder = TrafficRecorder(limits: .init(body: 1000))
        manager.proxy.addObserver(recorder)
        for count in [60_000, 70_000] {
            _ = try await manager.load(with: ["name": String(repeating: "x", count: count)])
        }
        let entries = try XCTUnwrap(recorder.archive()["log"]["entries"]?.array)
        for (entry, size) in zip(entries, [60_011, 70_011]) {
            let comment = entry["request"]["postData"]["comment"].string
            XCTAssertEqual(
                comment?.hasPrefix("The first 1000 of \(size) bytes. Sent compressed"), true, "\(entry)")
        }
        // A command with half a body is no command.
        XCTAssertEqual(entries.map { $0["_curl"] != nil }, [true, false])
    }

    func testASealedBodyIsNotShown() async throws {
        let transport = ClosureTransport(json: "{}", status: 204)
        let recorder = TrafficRecorder()
        // Its bytes still get smaller.
        let wrap = ClosureTransform(onRequest: { $0.body = try $0.body.map { $0.base64EncodedData() } })
        let manager = manager(transport) { $0.transform = { _ in wrap } }
        manager.proxy.addObserver(recorder)
        _ = try? await manager.load(with: params)
        let sent = try XCTUnwrap(transport.requests.first)
        XCTAssertEqual(sent.headers["Content-Encoding"], "gzip")
        let wrapped = try XCTUnwrap(sent.uncompressed.body.text)
        XCTAssertNotNil(Data(base64Encoded: wrapped))
        let text = sent.curlCommand() + recorder.archive().canonicalText
        XCTAssertFalse(text.contains(wrapped.prefix(60)), text)
    }

    func testASecretIsNotRedirectedToAnotherOrigin() async throws {
        let transport = ClosureTransport { request in
            TransportResponse(
                url: request.url, status: 307, headers: ["Location": "https://evil.example.org/"],
                body: .data(Data()))
        }
        let manager = manager(transport) {
            // Not among the params, so that only the body shows it.
            $0.adapt = { request, _ in
                let text = #"{"password":"s3cr3t","x":"\#(String(repeating: "x", count: 2000))"}"#
                request.body = .data(Data(text.utf8))
            }
        }
        do {
            _ = try await manager.load(with: ["id": 7])
            XCTFail("redirected")
        } catch {
            XCTAssertEqual(transport.requests.count, 1)
            XCTAssertTrue("\(error)".contains("redirected"), "\(error)")
        }
    }

    func testStubsAndAssertionsCompareTheReadableBody() async throws {
        let stubs = StubTransport()
        stubs.on(.body(params.jsonValue), answer: .json(["id": 7]))
        let manager = manager(stubs)
        let output = try await manager.load(with: params)
        XCTAssertEqual(output["id"], 7)
        await assertRequest(
            of: manager, with: params, .post, "https://api.example.com/products/detail",
            headers: ["Content-Encoding": "gzip"], body: .json(params.jsonValue))
    }

    func testAnErrorKeepsNoLargeBody() async throws {
        let manager = manager(ClosureTransport(json: "{}", status: 500))
        let error = await failure(manager, with: ["name": String(repeating: "x", count: 100_000)])
        XCTAssertEqual(error?.request?.isCompressed, false)
        XCTAssertEqual(error?.request?.body.isNone, true)
    }
}
