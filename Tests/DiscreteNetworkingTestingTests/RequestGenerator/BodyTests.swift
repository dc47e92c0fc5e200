import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

/// Bodies that are no JSON.
@MainActor
final class BodyTests: XCTestCase {
    private final class BodyManager: APIManager<NoContent> {
        let serviceIdentifier = ServiceIdentifier.shop
        let methodName = "upload"
        let requestType = HTTPMethod.post
        var own: (any ParamEncoding)?
        override var encoding: (any ParamEncoding)? { own }
        var transform: (any BodyTransform)?
        override var bodyTransform: (any BodyTransform)? { transform }
    }

    private struct Scrambling: BodyTransform {
        func encode(_ request: inout APIRequest, for call: APICall) throws {
            request.body = try request.body.map { _ in Data(UUID().uuidString.utf8) }
            request.headers["Content-Type"] = "text/plain"
        }
    }

    private let url = "https://api.example.com/v3/upload"

    private func manager(_ encoding: any ParamEncoding) -> BodyManager {
        let manager = BodyManager()
        manager.own = encoding
        manager.proxy = ShopStack().proxy
        return manager
    }

    func testATransformedBodyIsComparedAsItWasBefore() async {
        let manager = manager(.json)
        manager.transform = Scrambling()
        await assertRequest(
            of: manager, with: ["id": 7], .post, url, headers: ["Content-Type": "text/plain"],
            body: ["id": 7, "cid": "000001"])
    }

    func testFormIsComparedFieldByField() async {
        let manager = manager(.form)
        let params: Params = ["user": "小明 & co", "at": "1709209800"]
        await assertRequest(
            of: manager, with: params, .post, url,
            body: .form(["user": "小明 & co", "at": .timestamp, "cid": "000001"]))
        await assertCaught("form user\n    expected  \"小红\"\n    actual    \"小明 & co\"") {
            await assertRequest(
                of: manager, with: params, .post, url,
                body: .form(["user": "小红", "at": .timestamp, "cid": "000001"]))
        }
        await assertCaught("body\n    expected  JSON {\"a\":1}\n    actual    form at=1709209800") {
            await assertRequest(of: manager, with: params, .post, url, body: ["a": 1])
        }
        await assertSnapshot(
            of: manager, with: params,
            volatile: [.header("X-Nonce", .uuid), .body("at", .timestamp)])
    }

    func testBytesAndText() async {
        let bytes = manager(.raw(Data([0, 255]), contentType: "image/png"))
        await assertRequest(of: bytes, .post, url, query: ["cid": "000001"], body: .data(Data([0, 255])))
        await assertCaught("body\n    expected  1 bytes\n    actual    2 bytes") {
            await assertRequest(of: bytes, .post, url, query: ["cid": "000001"], body: .data(Data([0])))
        }
        let text = manager(.raw(Data("茶".utf8), contentType: "text/plain"))
        await assertRequest(of: text, .post, url, query: ["cid": "000001"], body: .text("茶"))
        await assertCaught("body\n    expected  水\n    actual    茶") {
            await assertRequest(of: text, .post, url, query: ["cid": "000001"], body: .text("水"))
        }
    }

    func testAMultipartFormIsTheSameWhateverItsBoundary() async {
        for _ in 1...2 {
            await assertSnapshot(of: manager(.multipart(form)), volatile: [.header("X-Nonce", .uuid)])
        }
    }

    func testTheFieldsOfAMultipartForm() async {
        let expected: ExpectedFields = [
            "caption": "在庭院里", "password": "a&b\r\n", "photo": "<p.jpg, image/jpeg, 2 bytes>",
            "cid": "000001",
        ]
        await assertRequest(of: manager(.multipart(form)), .post, url, body: .multipart(expected))
        let failures = await collectFailures {
            await assertRequest(
                of: manager(.multipart(form)), .post, url,
                body: .multipart(["caption": "?", "photo": .any, "cid": "000001"]))
            await assertRequest(of: manager(.multipart(form)), .post, url)
        }
        XCTAssertEqual(failures.count, 2)
        XCTAssertTrue(
            failures[0].message.contains("part caption\n    expected  \"?\"\n    actual    \"在庭院里\""))
        XCTAssertTrue(
            failures[0].message.contains("part password\n    expected  nothing\n    actual    <redacted>"))
        XCTAssertTrue(failures[1].message.contains("body\n    expected  no body\n    actual    multipart "))
        for failure in failures { XCTAssertFalse(failure.message.contains("a&b"), failure.message) }
    }

    private let form = MultipartForm([
        .text("在庭院里", named: "caption"), .text("a&b\r\n", named: "password"),
        .data(Data([0, 255]), named: "photo", fileName: "p.jpg", contentType: "image/jpeg"),
    ])

    func testAStubReadsABodyThatIsMadeWhileItIsSent() async throws {
        let stubs = StubTransport()
        stubs.on(.any, answer: .status(204))
        let sent = Locked<Int64>(0)
        let body = RequestBody.stream(length: nil) {
            AsyncThrowingStream { continuation in
                continuation.yield(Data("ab".utf8))
                continuation.yield(Data("c".utf8))
                continuation.finish()
            }
        }
        let url = try XCTUnwrap(URL(string: url))
        _ = try await stubs.send(
            APIRequest(
                url: url, method: .post, body: body,
                onProgress: { step in if step.sent > 0 { sent.current = step.sent } }))
        guard case .data(let data) = stubs.requests[0].body else { return XCTFail("no data") }
        XCTAssertEqual(data, Data("abc".utf8))
        XCTAssertEqual(sent.current, 3)
    }
}
