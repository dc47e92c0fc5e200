import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@testable import StorefrontKit

@MainActor
final class CouponManagerTests: XCTestCase {
    func testCallFailsWithoutARegisteredService() async {
        let services = ServiceFactory()
        services.registerStorefront()
        let manager = CouponManager()
        manager.proxy = ApiProxy(stubbing: StubTransport(), services: services)
        await assertFails(manager, .serviceNotRegistered)
        await assertSendsNothing(manager)
    }

    func testRegisteredItWorks() async {
        let stubs = StubTransport()
        stubs.on(CouponManager.self, answer: .json(["code": 0, "msg": "", "content": ["满200减20"]]))
        let manager = CouponManager()
        manager.proxy = ApiProxy(stubbing: stubs, [.coupons: ShopService.self])
        await assertSucceeds(manager) { XCTAssertEqual($0, ["满200减20"]) }
    }
}
