import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Where params go, and who decides it.
final class ParamEncodingTests: XCTestCase {
    private let params: Params = ["b": "c d", "a": [1, 2]]
    private let query = "https://api.example.com/products/detail?a%5B%5D=1&a%5B%5D=2&b=c%20d"
    private let bare = "https://api.example.com/products/detail"

    private func call(_ method: HTTPMethod, _ encoding: (any ParamEncoding)? = nil, _ params: Params? = nil)
        -> APICall
    {
        .stub(
            "products/detail", params ?? self.params, method: method,
            overrides: APICall.Overrides(encoding: encoding))
    }

    func testMethodChoosesTheDefaultEncoding() async throws {
        for method in [HTTPMethod.get, .head, .delete] {
            let built = try await request(call(method))
            XCTAssertEqual(built.method, method)
            XCTAssertEqual(built.url.absoluteString, query)
            XCTAssertTrue(built.body.isNone)
            XCTAssertNil(built.headers["Content-Type"])
        }
        for method in [HTTPMethod.post, .put, .patch, .options, "REPORT", "get"] {
            let built = try await request(call(method))
            XCTAssertEqual(built.method, method)
            XCTAssertEqual(built.url.absoluteString, bare)
            XCTAssertEqual(built.body.text, #"{"a":[1,2],"b":"c d"}"#)
            XCTAssertEqual(built.headers["Content-Type"], "application/json")
        }
    }

    func testNoBodyIsSentWithoutParams() async throws {
        let get = try await request(call(.get, nil, [:]))
        XCTAssertEqual(get.url.absoluteString, bare)
        XCTAssertTrue(get.body.isNone)
        let post = try await request(call(.post, nil, [:]))
        XCTAssertTrue(post.body.isNone)
        XCTAssertNil(post.headers["Content-Type"])
        let form = try await request(call(.post, .form, [:]))
        XCTAssertTrue(form.body.isNone)
        XCTAssertNil(form.headers["Content-Type"])
        // A body that is wanted all the same.
        let object = RawParamEncoding.raw(Data("{}".utf8), contentType: "application/json")
        let empty = try await request(call(.post, object, [:]))
        XCTAssertEqual(empty.body.text, "{}")
    }

    func testJSONKeepsNullsAndExactNumbers() async throws {
        let params: Params = ["n": JSONValue.null, "i": Int64.max, "e": [] as JSONValue, "s": "\"茶\n"]
        let built = try await request(call(.post, nil, params))
        XCTAssertEqual(built.body.text, #"{"e":[],"i":9223372036854775807,"n":null,"s":"\"茶\n"}"#)
    }

    func testFormEncodesParamsInTheBody() async throws {
        let built = try await request(call(.post, .form))
        XCTAssertEqual(built.url.absoluteString, bare)
        XCTAssertEqual(built.body.text, "a%5B%5D=1&a%5B%5D=2&b=c+d")
        XCTAssertEqual(built.headers["Content-Type"], "application/x-www-form-urlencoded")
        let styled = try await request(call(.post, .form(QueryEncoder(arrays: .repeated))))
        XCTAssertEqual(styled.body.text, "a=1&a=2&b=c%20d")
    }

    func testQueryOfAPost() async throws {
        let built = try await request(call(.post, .query(QueryEncoder(arrays: .commaSeparated))))
        XCTAssertEqual(built.url.absoluteString, bare + "?a=1,2&b=c%20d")
        XCTAssertTrue(built.body.isNone)
        XCTAssertNil(built.headers["Content-Type"])
    }

    func testRawBodyLeavesParamsInTheQuery() async throws {
        let bytes = Data([0, 0xFF, 0x0D, 0x0A])
        let built = try await request(call(.put, .raw(bytes, contentType: "image/png")))
        XCTAssertEqual(built.url.absoluteString, query)
        guard case .data(let body) = built.body else { return XCTFail("no bytes") }
        XCTAssertEqual(body, bytes)
        XCTAssertEqual(built.headers["Content-Type"], "image/png")
    }

    func testTheManagerBeatsTheServiceAndTheServiceTheMethod() async throws {
        let byService = try await request(call(.get)) { $0.encoding = { _ in .form } }
        XCTAssertEqual(byService.body.text, "a%5B%5D=1&a%5B%5D=2&b=c+d")
        XCTAssertEqual(byService.url.absoluteString, bare)
        let byManager = try await request(call(.get, .json)) { $0.encoding = { _ in .form } }
        XCTAssertEqual(byManager.body.text, #"{"a":[1,2],"b":"c d"}"#)
        let byCall = try await request(call(.post)) { rules in
            rules.encoding = { $0.requestType == .post && $0.params["b"] == "c d" ? .query : .json }
        }
        XCTAssertEqual(byCall.url.absoluteString, query)
    }

    func testAnEncodingThatThrows() async {
        struct Broken: ParamEncoding {
            func encode(_ params: Params, into request: inout APIRequest) throws {
                throw InvalidRequestError("broken")
            }
        }
        let reason = await refusal(call(.get, Broken()))
        XCTAssertEqual(reason, "broken")
    }

    // MARK: Through a manager

    @MainActor
    final class FormManager: APIManager<Product> {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "orders/{id}"
        let requestType = HTTPMethod.put
        override var encoding: (any ParamEncoding)? { .form }
    }

    @MainActor
    func testAManagerSaysItsEncoding() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.extraParams = ["cid": "1"] }
        _ = try await stack.manager(FormManager()).load(with: ["id": "x y", "q": "a b"])
        let sent = try XCTUnwrap(transport.requests.first)
        XCTAssertEqual(sent.url.absoluteString, "https://api.example.com/orders/x%20y")
        XCTAssertEqual(sent.method, .put)
        XCTAssertEqual(sent.body.text, "cid=1&q=a+b")
        XCTAssertEqual(sent.headers["content-type"], "application/x-www-form-urlencoded")
    }
}
