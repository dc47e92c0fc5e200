import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@testable import StorefrontKit

@MainActor
final class RegeoManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: RegeoManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = RegeoManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testTheTokenOfTheShopStaysInTheShop() async {
        stack.session?.adopt(SessionTokens(accessToken: "secret"))
        await assertRequest(
            of: manager, with: ["location": [121.4737, 31.2304]], .get, stack.url("map/v3/geocode/regeo"),
            query: ["location": "121.4737,31.2304", "key": "storefront-demo"], headers: ["Authorization": nil]
        )
    }

    func testTheAddressOfAPlace() async {
        await assertSucceeds(manager, with: ["location": [121.4737, 31.2304]]) {
            XCTAssertEqual($0.formattedAddress, "上海市黄浦区人民大道200号")
        }
    }

    func testTheSecondHostTakesOver() async throws {
        let map = try XCTUnwrap(stack.services.service(for: .map) as? MapService)
        let hosts = MapService.withoutFirst(map.hosts)
        stack.services.register([.map: { MapService(hosts: hosts) }])
        await assertSucceeds(manager, with: ["location": [121.4737, 31.2304]]) {
            XCTAssertEqual($0.formattedAddress, "上海市黄浦区人民大道200号")
        }
        XCTAssertEqual(stack.lastRequest?.path, "/map/v3/geocode/regeo")
    }

    func testAPlaceThatIsNotOnEarth() async {
        await assertFails(
            manager, with: ["location": [500, 31]], .business(code: "0", message: "INVALID_PARAMS"))
    }
}
