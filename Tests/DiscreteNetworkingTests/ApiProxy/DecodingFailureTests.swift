import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A response that is no output: what it was, where, and what to write.
@MainActor
final class DecodingFailureTests: XCTestCase {
    private static let envelope = Envelope(code: "code", success: [0], message: "msg", payload: "content")

    private func why<Output: Decodable & Sendable>(
        _ type: Output.Type, _ body: String, status: Int = 200, headers: HTTPFields = [:],
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) async -> APIError.DecodingFailure? {
        let manager = Stack(ClosureTransport(json: body, status: status, headers: headers), change)
            .manager(TestManager<Output>())
        let kind = await failure(manager)?.kind
        if case .decoding(let failure)? = kind { return failure }
        XCTFail("not a failure of decoding: \(String(describing: kind))")
        return nil
    }

    func testAnEmptyBodyInAnEnvelopedServiceSaysSo() async throws {
        for status in [200, 204] {
            let why = await why(Product.self, "", status: status) { $0.envelope = Self.envelope }
            let reason = try XCTUnwrap(why?.reason)
            XCTAssertTrue(reason.contains("the body is empty (status \(status))"), reason)
            XCTAssertTrue(reason.contains("NoContent") && reason.contains("Product?"), reason)
            XCTAssertFalse(reason.contains("not JSON"), reason)
        }
        let transport = ClosureTransport(json: "", status: 204)
        let manager = Stack(transport) { $0.envelope = Self.envelope }.manager(TestManager<NoContent>())
        _ = try await manager.load()
    }

    func testABodyThatIsNoJSONInAnEnvelopedServiceSaysWhatToWrite() async throws {
        let png: HTTPFields = ["Content-Type": "image/png"]
        func check<Output: Decodable & Sendable>(_ type: Output.Type) async throws {
            let why = await why(type, "PNG…", headers: png) { $0.envelope = Self.envelope }
            let reason = try XCTUnwrap(why?.reason)
            XCTAssertTrue(reason.contains("image/png"), reason)
            XCTAssertTrue(reason.contains("envelope(for:)") && reason.contains("TestService"), reason)
            XCTAssertTrue(reason.contains("TestManager<\(type)>"), "for which manager: \(reason)")
        }
        try await check(Data.self)
        try await check(String.self)
        try await check(Product.self)
    }

    // MARK: Keys that the decoder converts

    private struct Profile: Decodable, Sendable {
        struct Owner: Decodable, Sendable { let firstName: String, emailURL: URL? }
        let ownerList: [Owner]
    }

    private struct Ticket: Decodable, Sendable {
        let accessToken: String
        enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }

    private static func snakeCase(_ rules: inout TestService.Rules) {
        rules.decoder.keyDecodingStrategy = .convertFromSnakeCase
    }

    /// Decoders read the first.
    func testOfTwoSpellingsOfAKeyTheFirstIsNamed() async {
        let snake = await why(
            Profile.self, #"{"owner_list":[{"first_name":7,"firstName":"x"}]}"#, Self.snakeCase)
        XCTAssertEqual(snake?.path, ["owner_list", "0", "first_name"])
        let camel = await why(
            Profile.self, #"{"owner_list":[{"firstName":7,"first_name":"x"}]}"#, Self.snakeCase)
        XCTAssertEqual(camel?.path, ["owner_list", "0", "firstName"])
    }

    func testAFailurePathHasTheKeysThatTheServerSent() async {
        let mismatch = await why(Profile.self, #"{"owner_list":[{"first_name":7}]}"#, Self.snakeCase)
        XCTAssertEqual(mismatch?.path, ["owner_list", "0", "first_name"])
        let missing = await why(Profile.self, #"{"owner_list":[{"_x":1}]}"#, Self.snakeCase)
        XCTAssertEqual(missing?.path, ["owner_list", "0", "first_name"])
        let inEnvelope = await why(
            Profile.self, #"{"code":0,"content":{"owner_list":[{"first_name":null}]}}"#
        ) {
            Self.snakeCase(&$0)
            $0.envelope = Self.envelope
        }
        XCTAssertEqual(inEnvelope?.path, ["content", "owner_list", "0", "first_name"])
        let custom = await why(Profile.self, #"{"OWNERLIST":7}"#) { rules in
            rules.decoder.keyDecodingStrategy = .custom { path in
                path[path.count - 1].stringValue == "OWNERLIST" ? Key("ownerList") : path[path.count - 1]
            }
        }
        XCTAssertEqual(custom?.path, ["OWNERLIST"])
        let plain = await why(Profile.self, #"{"ownerList":[{"firstName":7}]}"#)
        XCTAssertEqual(plain?.path, ["ownerList", "0", "firstName"])
    }

    /// The key is there, but the decoder reads it under another name.
    func testAKeyThatTheDecoderRenamesIsSaidToBeThere() async throws {
        let failure = await why(Ticket.self, #"{"access_token":"a"}"#, Self.snakeCase)
        XCTAssertEqual(failure?.path, ["access_token"])
        let reason = try XCTUnwrap(failure?.reason)
        XCTAssertTrue(reason.contains(#""accessToken""#) && reason.contains("keyDecodingStrategy"), reason)
        XCTAssertTrue(reason.contains("coding key"), "what to write: \(reason)")
    }
}

private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
