import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

/// Keeps itself once it calls.
private final class LeakyManager: APIManager<Product>, APIManagerInterceptor {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/7"
    let requestType = HTTPMethod.get
    private var again: (() -> Void)?

    func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
        again = { self.loadData() }
    }
}

@MainActor
final class AssertLifetimeTests: XCTestCase {
    func testAManagerIsFreedWhileItLoads() async {
        let stack = ShopStack()
        await assertFreed(with: ["id": 7]) { stack.product() }
    }

    func testAManagerIsFreedAfterItsOutcome() async {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: ShopStack.teapot)
        await assertFreed(.afterOutcome, with: ["id": 7]) { stack.product() }
    }

    func testALeakedManagerIsCaught() async {
        for moment in [ReleaseMoment.whileLoading, .afterOutcome] {
            let stack = ShopStack()
            stack.stubs.on(.any, answer: ShopStack.teapot)
            await assertCaught("LeakyManager should have been freed, but something keeps it.") {
                await assertFreed(moment) {
                    let manager = LeakyManager()
                    manager.proxy = stack.proxy
                    return manager
                }
            }
        }
    }

    func testAManagerThatTheTestKeepsIsCaught() async {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: .never)
        let manager = stack.product()
        await assertCaught("ProductManager should have been freed") {
            await assertFreed(with: ["id": 7]) { manager }
        }
    }
}
