import DiscreteNetworking
import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import ShopAPI
import XCTest

@testable import StorefrontKit

/// The managers that are generated from the shop's description, against its real backend.
@MainActor
final class GeneratedShopTests: XCTestCase {
    private var server: LoopbackServer!
    private var proxy: ApiProxy!

    override func setUp() async throws {
        server = try ShopBackend().start()
        let services = ServiceFactory()
        services.register([.shopAPI: ShopAPIService.self])
        services.keepInMemory()
        let service = services.service(for: .shopAPI) as? ShopAPIService
        service?.server.current = server.baseURL.appendingPathComponent("api/v3")
        proxy = ApiProxy(services: services)
        let login = manager(ShopAPI.LoginManager())
        let session = try await login.load(with: .init(body: .init(password: "longjing", username: "小红")))
        service?.session.adopt(SessionTokens(accessToken: session.token, refreshToken: session.refreshToken))
    }

    override func tearDown() async throws { server.stop() }

    private func manager<Manager: BaseAPIManager>(_ manager: Manager) -> Manager {
        manager.proxy = proxy
        return manager
    }

    /// A login needs the client; everything else the customer's token, too, once there is one.
    func testEachRequestHasTheCredentialsOfItsOperation() async throws {
        let service = try XCTUnwrap(proxy.services.service(for: .shopAPI) as? ShopAPIService)
        let token = try XCTUnwrap(service.session.tokens?.accessToken)
        _ = try await manager(ShopAPI.HomeManager()).load()
        _ = try await manager(ShopAPI.LoginManager()).load(
            with: .init(body: .init(password: "longjing", username: "小红")))
        try await service.session.logOut()
        _ = try? await manager(ShopAPI.ProductDetailManager()).load(with: .init(id: 2))
        let sent = server.requests.suffix(3).map { [$0.target, $0.header("Authorization") ?? ""] }
        XCTAssertEqual(
            sent,
            [
                ["/api/v3/home?cid=000001", "Bearer \(token)"], ["/api/v3/users/login?cid=000001", ""],
                ["/api/v3/products/2?cid=000001", ""],
            ])
    }

    func testGeneratedManagersBrowseTheShop() async throws {
        let home = try await manager(ShopAPI.HomeManager()).load()
        XCTAssertFalse(home.banners.isEmpty)
        let teacup = try await manager(ShopAPI.ProductDetailManager()).load(with: .init(id: 2))
        XCTAssertEqual(teacup.name, "青花瓷茶杯")
        var products: [ShopAPI.Product] = []
        for try await product in manager(ListProductsManager()).allItems() { products.append(product) }
        XCTAssertTrue(products.contains { $0.id == teacup.id })
        XCTAssertEqual(Set(products.map(\.id)).count, products.count)
    }

    func testGeneratedManagersPlaceAnOrder() async throws {
        let cart = try await manager(ShopAPI.AddToCartManager()).load(with: .init(productID: 3, quantity: 2))
        XCTAssertEqual(cart.count, 2)
        let order = NewOrder(address: "杭州", items: [.init(productID: 3, quantity: 1)])
        let placed = try await manager(ShopAPI.PlaceOrderManager()).load(with: .init(body: order))
        XCTAssertFalse(placed.orderID.isEmpty)
        XCTAssertGreaterThan(placed.total, 0)
    }

    func testGeneratedManagerListsDeliveries() async throws {
        let deliveries = try await manager(DeliveriesManager()).load().deliveries
        XCTAssertFalse(deliveries.isEmpty)
        XCTAssertTrue(deliveries.allSatisfy { $0.state != .packed || $0.courier == nil })
    }

    func testGeneratedManagerUploadsAPicture() async throws {
        let picture = manager(AddPictureManager(picture: .data(Data("JPEG".utf8))))
        let received = try await picture.load(with: .init(id: 3, caption: "在庭院里"))
        XCTAssertGreaterThan(received.received, 4)
    }
}
