import DiscreteNetworking
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

    func testTheAddressOfAPlace() async throws {
        let address = try await manager.load(with: ["location": [121.4737, 31.2304]])

        XCTAssertEqual(address.formattedAddress, "上海市黄浦区人民大道200号")
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.method, "GET")
        XCTAssertEqual(request.path, "/map/v3/geocode/regeo")
        XCTAssertEqual(request.queryParams, ["location": "121.4737,31.2304", "key": "storefront-demo"])
    }

    func testTheTokenOfTheShopStaysInTheShop() async throws {
        stack.shop?.session?.adopt(SessionTokens(accessToken: "secret"))

        _ = try await manager.load(with: ["location": [121.4737, 31.2304]])

        XCTAssertNil(stack.lastRequest?.header("Authorization"))
    }

    func testAPlaceThatIsNotOnEarth() async {
        let kind = await failure(of: manager, with: ["location": [500, 31]])

        XCTAssertEqual(kind, .business(code: "0", message: "INVALID_PARAMS"))
    }
}
