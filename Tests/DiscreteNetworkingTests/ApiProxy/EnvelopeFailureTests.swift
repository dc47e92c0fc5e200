import DiscreteNetworkingCaching
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Backends that send a code, or an error, only with a failure. All over real sockets.
@MainActor
final class EnvelopeFailureTests: XCTestCase {
    private static let weChat = Envelope(code: "errcode", absentCode: 0, message: "errmsg")
    private static let graphQL = Envelope(
        failure: "errors", code: "errors.0.extensions.code", message: "errors.0.message", payload: "data")
    private static let jsonAPI = Envelope(
        failure: "errors", code: "errors.0.code", message: "errors.0.detail", payload: "data")
    private static let plainError = Envelope(failure: "error", code: "error.code", message: "error.message")

    /// A manager of a server that answers each request with the same body.
    private func manager<Output>(
        _ body: String, status: Int = 200, as type: Output.Type = Output.self, _ envelope: Envelope
    ) throws -> TestManager<Output> {
        let server = try serve { _ in .json(body, status: status) }
        return Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.envelope = envelope
        }
        .manager(TestManager<Output>())
    }

    // MARK: A code that is absent

    func testAnAbsentCodeIsASuccessWhereTheEnvelopeSaysSo() async throws {
        let fine = try manager(teapot, as: Product.self, Self.weChat)
        let product = try await fine.load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(fine.response?.businessCode, 0)
        let null = try manager(
            #"{"errcode":null,"id":7,"name":"a"}"#, as: Product.self, Self.weChat)
        _ = try await null.load()
        let sent = try manager(
            #"{"errcode":0,"errmsg":"ok","id":7,"name":"a"}"#, as: Product.self, Self.weChat)
        _ = try await sent.load()
        XCTAssertEqual(sent.response?.businessMessage, "ok")
    }

    func testACodeThatIsSentIsCompared() async throws {
        for type in [0, 1] {
            let body = #"{"errcode":40013,"errmsg":"invalid appid"}"#
            let error =
                type == 0
                ? await failure(try manager(body, as: Product.self, Self.weChat))
                : await failure(try manager(body, as: JSONValue.self, Self.weChat))
            XCTAssertEqual(error?.kind, .business(code: 40013, message: "invalid appid"))
        }
        var integers = Envelope(code: "errcode", absentCode: 0, message: "errmsg", codes: .integers)
        let text = try manager(#"{"errcode":"40013"}"#, as: JSONValue.self, integers)
        let error = await failure(text)
        XCTAssertEqual(error?.kind, .business(code: 40013, message: nil))
        integers = Envelope(code: "errcode", absentCode: "-1", message: "errmsg", codes: .integers)
        let absent = await failure(try manager(teapot, as: Product.self, integers))
        XCTAssertEqual(absent?.kind, .business(code: -1, message: nil), "absent means a failure")
    }

    func testAnAbsentCodeIsADecodingFailureOtherwise() async throws {
        let error = await failure(try manager(teapot, as: Product.self, Envelope(code: "errcode")))
        guard case .decoding(let why)? = error?.kind else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(why.path, ["errcode"])
    }

    // MARK: A member that only failures have

    func testTheMemberIsTheFailure() async throws {
        let denied = #"{"data":null,"errors":[{"message":"没有权限","extensions":{"code":"FORBIDDEN"}}]}"#
        let untyped = await failure(try manager(denied, as: JSONValue.self, Self.graphQL))
        XCTAssertEqual(untyped?.kind, .business(code: "FORBIDDEN", message: "没有权限"))
        XCTAssertEqual(untyped?.userMessage, "没有权限")
        let bare = await failure(
            try manager(#"{"errors":[{"message":"no"}]}"#, as: Product?.self, Self.graphQL))
        XCTAssertEqual(bare?.kind, .business(code: .null, message: "no"))
        XCTAssertTrue(bare?.description.contains("without a code: no") == true, "\(bare!)")
        XCTAssertNil(bare?.response?.output)
        XCTAssertEqual(bare?.response?.isPartial, false)
        let plain = await failure(
            try manager(#"{"error":{"code":13,"message":"gone"}}"#, as: JSONValue.self, Self.plainError))
        XCTAssertEqual(plain?.kind, .business(code: 13, message: "gone"))
        let word = Envelope(failure: "error", code: "error", message: "error_description")
        let oauth = await failure(
            try manager(
                #"{"error":"invalid_grant","error_description":"expired"}"#, as: JSONValue.self, word))
        XCTAssertEqual(oauth?.kind, .business(code: "invalid_grant", message: "expired"))
    }

    func testWithoutTheMemberTheCallSucceeds() async throws {
        for errors in [
            "", #""errors":null,"#, #""errors":[],"#, #""errors":{},"#, #""errors":"","#, #""errors":false,"#,
        ] {
            let manager = try manager(
                #"{\#(errors)"data":\#(teapot)}"#, as: Product.self, Self.graphQL)
            let product = try await manager.load()
            XCTAssertEqual(product.id, 7, errors)
            XCTAssertEqual(manager.response?.isPartial, false, errors)
            XCTAssertNil(manager.response?.businessCode, errors)
        }
        for errors in ["0", "1", "true", #""no""#, "[null]", #"{"a":null}"#] {
            let error = await failure(
                try manager(#"{"errors":\#(errors),"data":null}"#, as: JSONValue.self, Self.graphQL))
            XCTAssertEqual(error?.kind, .business(code: .null, message: nil), errors)
        }
    }

    /// A code that is not a success fails the call also without the member.
    func testBothACodeAndAMember() async throws {
        let both = Envelope(failure: "error", code: "code", message: "error", payload: "data")
        let coded = await failure(try manager(#"{"code":5,"data":{}}"#, as: JSONValue.self, both))
        XCTAssertEqual(coded?.kind, .business(code: 5, message: nil))
        let fine = await failure(try manager(#"{"code":0,"error":"x"}"#, as: JSONValue.self, both))
        XCTAssertEqual(fine?.kind, .business(code: 0, message: "x"))
        let data = try await manager(#"{"code":0,"data":7}"#, as: Int.self, both).load()
        XCTAssertEqual(data, 7)
    }

    func testAnErrorStatusHasTheCodeAndTheMessage() async throws {
        let body = #"{"errors":[{"status":"422","code":"taken","detail":"The name is taken."}]}"#
        let error = await failure(try manager(body, status: 422, as: Product.self, Self.jsonAPI))
        XCTAssertEqual(error?.kind, .http(status: 422))
        XCTAssertEqual(error?.businessCode, "taken")
        XCTAssertEqual(error?.businessMessage, "The name is taken.")
    }

    func testInAnotherEnvelope() async throws {
        let nested = Envelope(code: "ret", payload: "body")
            .containing(Envelope(failure: "error", message: "error", payload: "data"))
        let error = await failure(
            try manager(#"{"ret":0,"body":{"error":"full"}}"#, as: JSONValue.self, nested))
        XCTAssertEqual(error?.kind, .business(code: .null, message: "full"))
        let outer = Envelope(failure: "error", message: "error", payload: "body")
            .containing(Envelope(code: "ret", payload: "data"))
        let partial = await failure(
            try manager(#"{"error":"half","body":{"ret":0,"data":7}}"#, as: Int.self, outer))
        XCTAssertEqual(partial?.kind, .business(code: .null, message: "half"))
        XCTAssertEqual(partial?.response?.output as? Int, 7)
        let broken = await failure(
            try manager(#"{"error":"half","body":{"data":7}}"#, as: Int.self, outer))
        XCTAssertEqual(broken?.kind, .business(code: .null, message: "half"), "not that the code is missing")
        XCTAssertNil(broken?.response?.output)
    }

    // MARK: Files

    func testAFileIsNoEnvelopeButForItsFailure() async throws {
        for (envelope, body, kind) in [
            (
                Self.graphQL, #"{"errors":[{"message":"no"}]}"#,
                APIError.Kind.business(code: .null, message: "no")
            ),
            (Self.graphQL, teapot, nil),
            (
                Self.weChat, #"{"errcode":40007,"errmsg":"bad media"}"#,
                .business(code: 40007, message: "bad media")
            ),
            (Self.weChat, teapot, nil),
            (Envelope(code: "errcode", absentCode: -1), teapot, nil),
        ] {
            let manager = try manager(body, as: DownloadedFile.self, envelope)
            let error = await failure(manager)
            XCTAssertEqual(error?.kind, kind, body)
        }
    }

    // MARK: A payload beside the failure

    private struct Shelf: Decodable, Sendable, Equatable {
        let product: Product?
        let price: Int?
    }

    private static let half =
        #"{"data":{"product":\#(teapot),"price":null},"errors":[{"message":"no price","path":["price"]}]}"#

    func testAPartialPayloadIsInTheResponseOfTheFailure() async throws {
        let manager = try manager(Self.half, as: Shelf.self, Self.graphQL)
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .business(code: .null, message: "no price"))
        XCTAssertEqual((error?.response?.output as? Shelf)?.product?.id, 7)
        XCTAssertEqual(error?.response?.isPartial, true)
        XCTAssertEqual(error?.response?.payload, error?.response?.body)
        XCTAssertNil(manager.output)
    }

    func testAPartialPayloadIsASuccessWhereTheEnvelopeSaysSo() async throws {
        var envelope = Self.graphQL
        envelope = Envelope(
            failure: "errors", message: "errors.0.message", payload: "data", deliversPartialPayload: true)
        let partial = try manager(Self.half, as: Shelf.self, envelope)
        let screen = Screen()
        partial.delegate = screen
        partial.loadData()
        await until { !partial.isLoading }
        XCTAssertEqual(screen.events, ["success"])
        XCTAssertEqual(partial.output?.product?.id, 7)
        XCTAssertEqual(partial.response?.isPartial, true)
        XCTAssertEqual(partial.response?.businessMessage, "no price")
        XCTAssertEqual(try partial.response?.json()["errors"][0]["path"][0].string, "price")
        // Without data, or with data that is no output, it is the failure that the backend reports.
        for data in ["null", "7", #"{"product":{}}"#] {
            let none = try manager(
                #"{"errors":[{"message":"no"}],"data":\#(data)}"#, as: Shelf.self, envelope)
            let error = await failure(none)
            XCTAssertEqual(error?.kind, .business(code: .null, message: "no"), data)
            XCTAssertEqual(error?.response?.isPartial, false, data)
        }
    }

    func testAPartialResponseIsNotStored() async throws {
        let answers = Locked([Self.half, #"{"data":{"product":\#(teapot),"price":5}}"#, "{}"])
        let server = try serve { _ in .json(answers.withLock { $0.removeFirst() }) }
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.envelope = Envelope(failure: "errors", payload: "data", deliversPartialPayload: true)
        }
        let manager = stack.manager(TestManager<Shelf>())
        manager.ownCache = .memory
        let first = try await manager.load()
        XCTAssertNil(first.price)
        let second = try await manager.load()
        XCTAssertEqual(second.price, 5, "asked again")
        let third = try await manager.load()
        XCTAssertEqual(third.price, 5)
        XCTAssertEqual(manager.response?.isFromCache, true)
        XCTAssertEqual(manager.response?.isPartial, false)
    }
}
