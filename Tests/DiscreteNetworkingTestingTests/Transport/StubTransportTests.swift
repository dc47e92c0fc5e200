import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@MainActor
final class StubTransportTests: XCTestCase {
    func testAStubAnswersByManager() async {
        let stack = ShopStack()
        stack.stubs.on(ProductManager.self, answer: ShopStack.teapot)
        stack.stubs.on(OrderManager.self, answer: .json(["code": 0, "content": ["order": 1]]))
        let product = await assertSucceeds(stack.product(), with: ["id": 7])
        XCTAssertEqual(product, Product(id: 7, name: "茶壶"))
        await assertSucceeds(stack.order()) { XCTAssertEqual($0, ["order": 1]) }
        stack.stubs.verifyAllUsed()
    }

    func testAStubAnswersByServiceAndMatcher() async {
        let stack = ShopStack()
        stack.stubs.on(.service(.shop), answer: .status(503))
        stack.stubs.on(
            .path("/v3/products/*"), .method(.get), .query("cid", "000001"), answer: ShopStack.teapot)
        stack.stubs.on(
            .custom("a big page") { $0.url.absoluteString.contains("size=100") }, answer: .status(413))
        await assertSucceeds(stack.product(), with: ["id": 7])
        await assertFails(stack.product(), with: ["id": 7, "size": 100], .http(status: 413))
        await assertFails(stack.order(), .http(status: 503))
    }

    func testResponsesAreUsedInOrder() async {
        let stack = ShopStack()
        stack.stubs.on(ProductManager.self, answers: [.status(500), ShopStack.teapot])
        await assertFails(stack.product(), with: ["id": 7], .http(status: 500))
        await assertSucceeds(stack.product(), with: ["id": 7])
        await assertCaught("all its 2 answers have been given") {
            await assertFails(stack.product(), with: ["id": 7], .transport(.unsupported))
        }
    }

    func testTheLaterStubWins() async {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: .status(500))
        stack.stubs.on(ProductManager.self, answers: [ShopStack.teapot])
        await assertSucceeds(stack.product(), with: ["id": 7])
        await assertFails(stack.product(), with: ["id": 7], .http(status: 500))
    }

    func testAnUnstubbedCallIsReportedOnceAtTheAssertionWithTheNearestStub() async {
        let stack = ShopStack()
        stack.stubs.on(OrderManager.self, .method(.get), answer: .status(200))
        stack.stubs.on(ProductManager.self, .path("/v3/product/7"), answer: ShopStack.teapot)
        await assertCaught(
            "No stub answers GET https://api.example.com/v3/products/7?cid=000001 of ProductManager (service shop, method products/{id}).",
            "The nearest is for ProductManager, path /v3/product/7 (StubTransportTests.swift:",
            "the path is /v3/products/7, not /v3/product/7."
        ) {
            await assertFails(stack.product(), with: ["id": 7], .transport(.unsupported))
            await assertFails(stack.product(), with: ["id": 7], .transport(.unsupported))
        }
    }

    func testAnUnstubbedCallOutsideAnAssertionIsReportedWhereTheStubsWereMade() async {
        let line: UInt = #line + 2
        await assertCaught("No stub answers GET", "There are no stubs.", at: line) {
            let stack = ShopStack()
            _ = try? await stack.product().load(with: ["id": 7])
        }
    }

    func testAnUnstubbedCallShowsNoSecret() async {
        let stack = ShopStack()
        stack.stubs.on(.query("token", "abcd"), answer: .status(200))
        let failures = await collectFailures {
            let error = await assertFails(stack.product(), with: ["id": 7, "token": "xyzw"], .transport())
            XCTAssertFalse(String(describing: error).contains("xyzw"))
        }
        XCTAssertEqual(failures.count, 1)
        XCTAssertFalse(failures[0].message.contains("xyzw"), failures[0].message)
        XCTAssertFalse(failures[0].message.contains("abcd"), failures[0].message)
    }

    func testAStubThatWasNeverUsedIsReportedWhereItWasAdded() async {
        let stack = ShopStack()
        stack.stubs.on(ProductManager.self, answer: ShopStack.teapot)
        await assertSucceeds(stack.product(), with: ["id": 7])
        let line: UInt = #line + 2
        await assertCaught("The stub for OrderManager was never used.", at: line) {
            stack.stubs.on(OrderManager.self, answer: .status(200))
            stack.stubs.verifyAllUsed()
        }
    }

    func testASequenceThatWasNotUsedUpIsReported() async {
        await assertCaught("The stub for ProductManager gave 1 of its 2 answers.") {
            let stack = ShopStack()
            stack.stubs.on(ProductManager.self, answers: [ShopStack.teapot, ShopStack.teapot])
            await assertSucceeds(stack.product(), with: ["id": 7])
            stack.stubs.verifyAllUsed()
        }
    }

    func testRequestsAreRemembered() async {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: .json(["code": 0, "content": [:]]))
        await assertSucceeds(stack.order(), with: ["a": 1])
        XCTAssertEqual(stack.stubs.requests.map(\.method), [.post])
        XCTAssertTrue(stack.stubs.requests[0].origin?.managerType == OrderManager.self)
        XCTAssertEqual(stack.stubs.requests[0].origin?.attempt, 1)
    }
}
