import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingTesting

@MainActor
final class AssertOutcomeTests: XCTestCase {
    private func stack(_ answer: StubAnswer) -> ShopStack {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: answer)
        return stack
    }

    func testAFailureIsCaughtWhereSuccessIsExpected() async {
        let stack = stack(.json(["code": 1001, "msg": "商品不存在"]))
        await assertCaught("ProductManager should have succeeded, but failed:", "1001", "商品不存在") {
            let output = await assertSucceeds(stack.product(), with: ["id": 7])
            XCTAssertNil(output)
        }
    }

    func testACheckThatThrowsIsCaught() async {
        struct Odd: Error {}
        let stack = stack(ShopStack.teapot)
        await assertCaught("the check of its output threw: Odd()") {
            await assertSucceeds(stack.product(), with: ["id": 7]) { _ in throw Odd() }
        }
    }

    func testASuccessIsCaughtWhereAFailureIsExpected() async {
        let stack = stack(ShopStack.teapot)
        await assertCaught("ProductManager should have failed with http(status: 404), but succeeded (") {
            await assertFails(stack.product(), with: ["id": 7], .http(status: 404))
        }
    }

    func testAnotherFailureIsCaught() async {
        let stack = stack(.json(["code": 1002, "msg": "no"]))
        await assertCaught("should have failed with business(code: 1001), but failed otherwise:", "1002") {
            await assertFails(stack.product(), with: ["id": 7], .business(code: 1001))
        }
        await assertCaught("should have failed with business(code: 1002, message: \"yes\")") {
            await assertFails(stack.product(), with: ["id": 7], .business(code: 1002, message: "yes"))
        }
    }

    func testAForgottenProxyIsNamed() async {
        let manager = ProductManager()
        await assertCaught("should have succeeded", "ApiProxy.shared", "manager.proxy = ApiProxy(stubbing:") {
            await assertSucceeds(manager, with: ["id": 7])
        }
        await assertCaught("should have failed with timedOut", "manager.proxy = ApiProxy(stubbing:") {
            await assertFails(manager, with: ["id": 7], .timedOut)
        }
        // Where the test has a proxy, it is not the proxy that was forgotten.
        let failures = await collectFailures {
            await assertSucceeds(stack(.status(500)).product(), with: ["id": 7])
        }
        XCTAssertEqual(failures.map { $0.message.contains("ApiProxy.shared") }, [false])
    }

    func testAFailureReadsAsTheErrorDoes() async {
        await assertFails(stack(.status(404)).product(), with: ["id": 7], .http(status: 404))
        XCTAssertEqual(ExpectedFailure.http(status: 404).name, "\(APIError.Kind.http(status: 404))")
    }

    func testAssertCancelledPassesForACanceledCall() async {
        await assertCancelled(stack(.never).product(), with: ["id": 7])
        let bare = ShopStack()
        await assertCancelled(bare.product(), with: ["id": 7]) {
            await bare.stubs.waitForRequests()
            bare.proxy.cancelAllRequests()
        }
        let stack = stack(.never)
        await assertCaught("ProductManager should have been canceled, but is still loading.") {
            await assertCancelled(stack.product(), with: ["id": 7]) {}
        }
    }

    func testACallThatEndsInsteadOfBeingCancelledIsCaught() async {
        let stack = stack(.status(500))
        let manager = stack.product()
        let recorder = ManagerRecorder(manager, .delegate)
        await assertCaught("should have been canceled, but failed:", "500") {
            await assertCancelled(manager, with: ["id": 7]) { await recorder.waitForEvents(1) }
        }
        await assertCaught("should have been canceled, but failed:", "no id") {
            await assertCancelled(manager, with: ["id": ""]) {}
        }
    }

    func testAssertSendsNothingFailsIfARequestIsSent() async {
        let stack = stack(ShopStack.teapot)
        let error = await assertSendsNothing(stack.product(), with: ["id": ""])
        XCTAssertEqual(error?.kind, .invalidParams(reason: "no id"))
        await assertCaught(
            "ProductManager should have sent nothing, but sent curl ", "https://api.example.com/v3/products/7"
        ) {
            await assertSendsNothing(stack.product(), with: ["id": 7])
        }
    }
}
