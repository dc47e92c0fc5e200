import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Query and body in one call, and bodies that are no objects; what arrives is what counts.
@MainActor
final class SplitParamEncodingTests: XCTestCase {
    private func received(
        _ encoding: any ParamEncoding, _ params: Params,
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .json(teapot) }
        defer { server.stop() }
        let manager = Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            change(&$0)
        }.manager(ProductManager())
        manager.requestType = .post
        manager.ownEncoding = encoding
        _ = try await manager.load(with: params)
        return try XCTUnwrap(server.requests.last)
    }

    func testQueryAndJSON() async throws {
        let request = try await received(
            .query(["page", "cid"], rest: .json), ["page": 2, "ids": [1, 2], "name": "茶"]
        ) {
            $0.extraParams = ["cid": "000001"]
        }
        XCTAssertEqual(request.target, "/products/detail?cid=000001&page=2")
        XCTAssertEqual(String(decoding: request.body, as: UTF8.self), #"{"ids":[1,2],"name":"茶"}"#)
        XCTAssertEqual(request.header("Content-Type"), "application/json")
    }

    func testQueryAndForm() async throws {
        let request = try await received(
            .query(["ids"], QueryEncoder(arrays: .commaSeparated), rest: .form), ["ids": [1, 2], "b": "c d"])
        XCTAssertEqual(request.target, "/products/detail?ids=1,2")
        XCTAssertEqual(String(decoding: request.body, as: UTF8.self), "b=c+d")
    }

    func testBodiesThatAreNoObjects() async throws {
        for (value, body) in [
            ([1, "a", nil], #"[1,"a",null]"#), ([], "[]"), (7, "7"), ("x", #""x""#), (true, "true"),
            (.null, "null"),
        ] as [(JSONValue, String)] {
            let request = try await received(.json(root: "body"), ["body": value, "page": 1])
            XCTAssertEqual(String(decoding: request.body, as: UTF8.self), body)
            XCTAssertEqual(request.target, "/products/detail?page=1")
            XCTAssertEqual(request.header("Content-Type"), "application/json")
        }
    }

    func testAMissingRootSaysSo() async {
        let reason = await refusal(
            .stub("a", ["x": 1], method: .post, overrides: .init(encoding: JSONParamEncoding(root: "ids"))))
        XCTAssertEqual(
            reason, #"The param "ids" is missing, and its value is the body; pass it, or JSONValue.null."#)
    }

    func testAnErrorOfEitherPartIsThatOfTheWhole() throws {
        struct Failing: ParamEncoding {
            func encode(_ params: Params, into request: inout APIRequest) throws { throw CancellationError() }
        }
        var request = APIRequest(url: URL(string: "https://api.example.com/")!, method: .post)
        let rest = SplitParamEncoding(names: ["a"], rest: Failing())
        XCTAssertThrowsError(try rest.encode(["a": 1, "b": 2], into: &request))
        let root = SplitParamEncoding(names: ["a"], rest: .json(root: "ids"))
        XCTAssertThrowsError(try root.encode(["a": 1], into: &request))
    }

    func testWhoseParamWins() async throws {
        let manager = try await received(.json, ["cid": "mine", "a": 1]) {
            $0.extraParams = ["cid": "000001"]
        }
        XCTAssertEqual(String(decoding: manager.body, as: UTF8.self), #"{"a":1,"cid":"mine"}"#)
        let service = try await received(.json, ["cid": "mine", "a": 1]) {
            $0.extraParams = ["cid": "000001"]
            $0.paramPrecedence = .service
        }
        XCTAssertEqual(String(decoding: service.body, as: UTF8.self), #"{"a":1,"cid":"000001"}"#)
    }

    /// A second call with the same split is the same call; with another it is not.
    func testTheLoadPolicyComparesSplits() {
        func call(_ encoding: any ParamEncoding) -> APICall { .stub(overrides: .init(encoding: encoding)) }
        let one = call(.query(["a"], rest: .json))
        XCTAssertTrue(one.isEqual(to: call(.query(["a"], rest: .json))))
        XCTAssertFalse(one.isEqual(to: call(.query(["b"], rest: .json))))
        XCTAssertFalse(one.isEqual(to: call(.query(["a"], rest: .form))))
    }
}
