import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@MainActor
final class AssertRequestTests: XCTestCase {
    private let path = "https://api.example.com/v3/products/7"

    func testTheRightRequestPasses() async {
        let manager = ShopStack().product()

        let request = await assertRequest(
            of: manager, with: ["id": 7, "tags": ["a", "b"]], .get, path,
            query: ["tags[]": "a", "tags[]": "b", "cid": "000001"],
            headers: ["X-Client": "ios", "x-nonce": .uuid, "Authorization": nil])

        XCTAssertEqual(request?.origin?.methodName, "products/{id}")
    }

    func testTheQueryMayStandInTheURL() async {
        await assertRequest(of: ShopStack().product(), with: ["id": 7], .get, path + "?cid=000001")
    }

    func testNothingIsSent() async {
        let stack = ShopStack()
        await assertRequest(of: stack.product(), with: ["id": 7], .get, path, query: ["cid": "000001"])
        XCTAssertTrue(stack.stubs.requests.isEmpty)
    }

    func testAWrongPathIsCaught() async {
        let manager = ShopStack().product()
        manager.methodName = "product/{id}"
        await assertCaught(
            "ProductManager would send another request:",
            "url\n    expected  \(path)\n    actual    https://api.example.com/v3/product/7",
            "expected  curl -g --path-as-is -X GET", "'\(path)?cid=000001'", "/v3/product/7?cid=000001'"
        ) {
            await assertRequest(of: manager, with: ["id": 7], .get, path, query: ["cid": "000001"])
        }
    }

    func testAWrongMethodIsCaught() async {
        let manager = ShopStack().product()
        manager.requestType = .delete
        await assertCaught("method\n    expected  GET\n    actual    DELETE") {
            await assertRequest(of: manager, with: ["id": 7], .get, path, query: ["cid": "000001"])
        }
    }

    func testADroppedHeaderIsCaught() async {
        let stack = ShopStack()
        stack.service.dropsClient.current = true
        await assertCaught("header X-Client\n    expected  \"ios\"\n    actual    nothing") {
            await assertRequest(
                of: stack.product(), with: ["id": 7], .get, path, query: ["cid": "000001"],
                headers: ["X-Client": "ios"])
        }
    }

    func testAHeaderThatShouldNotBeThereIsCaught() async {
        let manager = ShopStack().product()
        manager.ownHeaders = ["X-Debug": "1"]
        await assertCaught("header X-Debug\n    expected  nothing\n    actual    \"1\"") {
            await assertRequest(
                of: manager, with: ["id": 7], .get, path, query: ["cid": "000001"], headers: ["X-Debug": nil])
        }
    }

    func testAParamMoreOrLessIsCaught() async {
        let manager = ShopStack().product()
        await assertCaught("query page\n    expected  nothing\n    actual    \"2\"") {
            await assertRequest(
                of: manager, with: ["id": 7, "page": 2], .get, path, query: ["cid": "000001"])
        }
        await assertCaught("query page\n    expected  <digits>\n    actual    nothing") {
            await assertRequest(
                of: manager, with: ["id": 7], .get, path, query: ["cid": "000001", "page": .digits])
        }
        await assertCaught("query tags[]\n    expected  \"b\", \"a\"\n    actual    \"a\", \"b\"") {
            await assertRequest(
                of: manager, with: ["id": 7, "tags": ["a", "b"]], .get, path,
                query: ["cid": "000001", "tags[]": "b", "tags[]": "a"])
        }
    }

    func testABodyIsComparedByKey() async {
        let manager = ShopStack().order()
        let params: Params = ["item": ["id": 7, "count": 1], "note": "快"]
        await assertRequest(
            of: manager, with: params, .post, "https://api.example.com/v3/orders",
            body: ["note": "快", "cid": "000001", "item": ["count": 1, "id": 7]])
        await assertCaught(
            "body item.count\n    expected  2\n    actual    1",
            "body note\n    expected  nothing\n    actual    \"快\""
        ) {
            await assertRequest(
                of: manager, with: params, .post, "https://api.example.com/v3/orders",
                body: ["cid": "000001", "item": ["count": 2, "id": 7]])
        }
        await assertCaught("body\n    expected  no body\n    actual    JSON {\"cid\"") {
            await assertRequest(of: manager, with: params, .post, "https://api.example.com/v3/orders")
        }
        await assertCaught("body item.id\n    expected  <uuid>\n    actual    \"7\"") {
            await assertRequest(
                of: manager, with: params, .post, "https://api.example.com/v3/orders",
                body: .json(
                    ["cid": "000001", "item": ["count": 1], "note": "快"], where: ["item.id": .uuid]))
        }
    }

    func testAnUnsortedSignatureIsCaughtAndNotShown() async {
        let stack = ShopStack()
        // echo -n 'a=1&b=2&cid=…' is not what a test should repeat: the rule, written down apart from the service.
        let sign = MessageDigest(.md5, of: #"a=1&b=2&cid="000001"spring-water"#).hexadecimal
        let body: ExpectedBody = ["a": 1, "b": 2, "cid": "000001"]
        await assertRequest(
            of: stack.order(), with: ["b": 2, "a": 1], .post, "https://api.example.com/v3/orders",
            headers: ["X-Sign": .equal(sign)], body: body)
        stack.service.signsUnsorted.current = true
        await assertCaught("header X-Sign\n    expected  \"\(sign)\"") {
            await assertRequest(
                of: stack.order(), with: ["b": 2, "a": 1], .post, "https://api.example.com/v3/orders",
                headers: ["X-Sign": .equal(sign)], body: body)
        }
    }

    func testSecretsAreComparedAndNotShown() async {
        let manager = ShopStack().order()
        let params: Params = ["password": "longjing"]
        let failures = await collectFailures {
            await assertRequest(
                of: manager, with: params, .post, "https://api.example.com/v3/orders",
                body: ["password": "pu-erh", "cid": "000001"])
        }
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures[0].message.contains("actual    <redacted>, 8 characters"), failures[0].message)
        XCTAssertFalse(failures[0].message.contains("longjing"))
        XCTAssertFalse(failures[0].message.contains("pu-erh"))
        await assertCaught("expected  \"pu-erh\"\n    actual    \"longjing\"") {
            await assertRequest(
                of: manager, with: params, .post, "https://api.example.com/v3/orders",
                body: ["password": "pu-erh", "cid": "000001"], redaction: Redaction.none)
        }
    }

    func testARequestThatCannotBeMadeIsCaught() async {
        let manager = ShopStack().product()
        await assertCaught("ProductManager would send no request", "no id") {
            await assertRequest(of: manager, with: ["id": ""], .get, path)
        }
        await assertCaught("would send no request", "id") {
            await assertRequest(of: manager, .get, path)
        }
    }

    func testTheSessionsTokenIsInTheRequest() async {
        let stack = ShopStack()
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "abc", refreshToken: "r"))
        await assertRequest(
            of: stack.product(), with: ["id": 7], .get, path, query: ["cid": "000001"],
            headers: ["Authorization": "Bearer abc"])
        await assertCaught(
            "header Authorization\n    expected  nothing\n    actual    <redacted>, 10 characters"
        ) {
            await assertRequest(
                of: stack.product(), with: ["id": 7], .get, path, query: ["cid": "000001"],
                headers: ["Authorization": nil])
        }
    }
}
