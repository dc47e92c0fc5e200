import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// What a response can become.
@MainActor
final class OutputTests: XCTestCase {
    private func load<Output: Decodable & Sendable>(
        _ type: Output.Type, _ body: String, status: Int = 200, headers: HTTPFields = [:],
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) async -> Result<Output, APIError> {
        let manager = Stack(ClosureTransport(json: body, status: status, headers: headers), change)
            .manager(TestManager<Output>())
        do throws(APIError) {
            return .success(try await manager.load())
        } catch {
            return .failure(error)
        }
    }

    func testDecodableUntypedAndRaw() async throws {
        let typed = try await load(Product.self, teapot).get()
        XCTAssertEqual(typed.name, "青花瓷茶壶")
        let list = try await load([Product].self, "[\(teapot)]").get()
        XCTAssertEqual(list.count, 1)
        let untyped = try await load(JSONValue.self, #"{"id":18446744073709551615,"price":1.10}"#).get()
        XCTAssertEqual(untyped["id"]?.uint64, .max)
        XCTAssertEqual(untyped["price"]?.number?.literal, "1.10")
        let data = try await load(Data.self, teapot).get()
        XCTAssertEqual(data, Data(teapot.utf8))
        let text = try await load(String.self, "null").get()
        XCTAssertEqual(text, "null")
        _ = try await load(NoContent.self, "anything at all").get()
        let absent = try await load(Product?.self, "null").get()
        XCTAssertNil(absent)
        let present = try await load(Product?.self, teapot).get()
        XCTAssertEqual(present?.id, 7)
    }

    func testTextInItsCharset() async throws {
        let transport = ClosureTransport { request in
            TransportResponse(
                url: request.url, status: 200,
                headers: ["content-type": "text/plain; Charset=\"ISO-8859-1\""],
                body: .data(Data([0x63, 0x61, 0x66, 0xE9])))
        }
        let text = try await Stack(transport).manager(TestManager<String>()).load()
        XCTAssertEqual(text, "café")
        let broken = ClosureTransport {
            TransportResponse(url: $0.url, status: 200, body: .data(Data([0xFF])))
        }
        guard case .decoding? = await failure(Stack(broken).manager(TestManager<String>()))?.kind else {
            return XCTFail("bytes that are no UTF-8 are no text")
        }
    }

    func testNoBodyIsNoErrorWhereTheOutputMayBeEmpty() async throws {
        for status in [200, 204, 205, 304] {
            _ = try await load(NoContent.self, "", status: status).get()
            let absent = try await load(Product?.self, "", status: status).get()
            XCTAssertNil(absent)
            let data = try await load(Data.self, "", status: status).get()
            XCTAssertEqual(data, Data())
            let text = try await load(String.self, "", status: status).get()
            XCTAssertEqual(text, "")
            let json = try await load(JSONValue.self, "", status: status).get()
            XCTAssertEqual(json, .null)
        }
    }

    func testNoBodyWhereOneIsNeeded() async {
        guard case .failure(let error) = await load(Product.self, "", status: 204),
            case .decoding(let why) = error.kind
        else { return XCTFail() }
        XCTAssertTrue(why.reason.contains("empty"), why.reason)
        XCTAssertTrue(error.description.contains("NoContent"))
        let unmodified = await load(Product.self, "", status: 304)
        XCTAssertEqual(unmodified.kind, .http(status: 304))
    }

    func testAWrongShapeSaysWhereAndWhat() async {
        func why<Output: Decodable & Sendable>(_ type: Output.Type, _ body: String) async -> APIError
            .DecodingFailure?
        {
            guard case .decoding(let failure)? = await load(type, body).kind else { return nil }
            return failure
        }
        let missing = await why(Product.self, #"{"id":7}"#)
        XCTAssertEqual(missing?.path, ["name"])
        let mismatch = await why([Product].self, #"[{"id":7,"name":"a"},{"id":"x","name":"b"}]"#)
        XCTAssertEqual(mismatch?.path, ["1", "id"])
        let null = await why(Product.self, #"{"id":7,"name":null}"#)
        XCTAssertEqual(null?.path, ["name"])
        let malformed = await why(Product.self, "<html>")
        XCTAssertEqual(malformed?.path, [])
        let error = await load([Product].self, #"[{"id":7,"name":"a"},{"id":"x","name":"b"}]"#)
        guard case .failure(let shown) = error else { return XCTFail() }
        XCTAssertTrue(shown.description.contains("[1].id"), shown.description)
        XCTAssertTrue(shown.description.contains(#""name":"b""#), shown.description)
    }

    func testAnOutputOfOnesOwnFormat() async throws {
        struct Lines: PayloadDecodable, Decodable {
            var lines: [String]
            static func decode(_ payload: Data, of response: APIResponse) throws -> Lines {
                Lines(lines: String(decoding: payload, as: UTF8.self).split(separator: "\n").map(String.init))
            }
        }
        let output = try await load(Lines.self, "a\nb").get()
        XCTAssertEqual(output.lines, ["a", "b"])
    }

    // MARK: Envelope

    private let envelope = Envelope(code: "code", success: [0, "0"], message: "msg", payload: "content")

    func testThePayloadIsDecodedFromItsPlace() async throws {
        let product = try await load(Product.self, #"{"content":\#(teapot),"code":0,"msg":""}"#) {
            $0.envelope = self.envelope
        }
        .get()
        XCTAssertEqual(product.id, 7)
        let data = try await load(Data.self, #"{"code":"0","content": {"b":1, "a":1.10} }"#) {
            $0.envelope = self.envelope
        }
        .get()
        XCTAssertEqual(String(decoding: data, as: UTF8.self), #"{"b":1, "a":1.10}"#, "byte for byte as sent")
        let text = try await load(String.self, #"{"code":0,"content":"a\n\u00e9"}"#) {
            $0.envelope = self.envelope
        }.get()
        XCTAssertEqual(text, "a\né")
        _ = try await load(NoContent.self, #"{"code":0,"msg":"ok"}"#) { $0.envelope = self.envelope }.get()
        let absent = try await load(Product?.self, #"{"code":0,"content":null}"#) {
            $0.envelope = self.envelope
        }.get()
        XCTAssertNil(absent)
    }

    func testABusinessFailureHasCodeAndMessage() async {
        let result = await load(Product.self, #"{"code":40901,"msg":"库存不足","content":null}"#) {
            $0.envelope = self.envelope
        }
        XCTAssertEqual(result.kind, .business(code: 40901, message: "库存不足"))
        guard case .failure(let error) = result else { return XCTFail() }
        XCTAssertTrue(error.description.contains("40901") && error.description.contains("库存不足"))
        let text = await load(Product.self, #"{"code":"E1","content":null}"#) { $0.envelope = self.envelope }
        XCTAssertEqual(text.kind, .business(code: "E1", message: nil))
    }

    func testAnEnvelopeInAnEnvelope() async throws {
        let nested = Envelope(code: "ret", success: ["ok"], payload: "data.0").containing(
            Envelope(code: "status", success: [1], message: "info", payload: ["result"]))
        let right = #"{"ret":"ok","data":[{"status":1,"result":\#(teapot)}]}"#
        let product = try await load(Product.self, right) { $0.envelope = nested }.get()
        XCTAssertEqual(product.id, 7)
        let inner = await load(Product.self, #"{"ret":"ok","data":[{"status":9,"info":"full"}]}"#) {
            $0.envelope = nested
        }
        XCTAssertEqual(inner.kind, .business(code: 9, message: "full"))
        let outer = await load(Product.self, #"{"ret":"no","data":[]}"#) { $0.envelope = nested }
        XCTAssertEqual(outer.kind, .business(code: "no", message: nil))
        guard
            case .decoding(let why)? = await load(
                Product.self, #"{"ret":"ok","data":[{"status":1,"result":{"id":7}}]}"#,
                { $0.envelope = nested }
            ).kind
        else { return XCTFail() }
        XCTAssertEqual(why.path, ["data", "0", "result", "name"])
    }

    func testAnEnvelopeThatIsNotThere() async {
        for body in [teapot, "[]", "<html>", "7", ""] {
            guard case .decoding? = await load(Product.self, body, { $0.envelope = self.envelope }).kind
            else {
                return XCTFail(body)
            }
        }
        guard
            case .decoding(let why)? = await load(
                Product.self, #"{"code":0}"#, { $0.envelope = self.envelope }
            ).kind
        else { return XCTFail() }
        XCTAssertEqual(why.path, ["content"])
    }

    func testAnErrorStatusKeepsTheCodeAndTheMessageOfItsEnvelope() async {
        let result = await load(
            Product.self, #"{"code":1001,"msg":"库存不足","content":null}"#, status: 422
        ) { $0.envelope = self.envelope }
        guard case .failure(let error) = result else { return XCTFail() }
        XCTAssertEqual(error.kind, .http(status: 422))
        XCTAssertEqual(error.businessCode, 1001)
        XCTAssertEqual(error.businessMessage, "库存不足")
        XCTAssertTrue(error.description.contains("422"), error.description)
        XCTAssertTrue(error.localizedDescription.contains("1001"), error.localizedDescription)
        XCTAssertTrue(error.localizedDescription.contains("库存不足"), error.localizedDescription)
    }

    func testAPartThatNobodyAskedForIsNoAnswer() async {
        let headers: HTTPFields = ["Content-Range": "bytes 0-9/1000"]
        let memory = await load(Data.self, "0123456789", status: 206, headers: headers)
        let stream = await load(ByteStream.self, "0123456789", status: 206, headers: headers)
        for kind in [memory.kind, stream.kind] {
            guard case .transport(let error)? = kind else { return XCTFail("\(String(describing: kind))") }
            XCTAssertEqual(error.kind, .badResponse)
        }
        let manager = Stack(ClosureTransport(json: "0123456789", status: 206, headers: headers))
            .manager(TestManager<Data>())
        manager.ownHeaders = ["range": "bytes=0-9"]
        let part = try? await manager.load()
        XCTAssertEqual(part, Data("0123456789".utf8), "asked for")
    }
}
