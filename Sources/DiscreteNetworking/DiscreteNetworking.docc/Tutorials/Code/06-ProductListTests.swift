import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@testable import Shop

@MainActor
final class ProductListTests: XCTestCase {
    func testTheListEnds() async throws {
        let (stubs, list) = (StubTransport(), ProductListManager())
        list.proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])
        let teapot: JSONValue = ["id": 1, "name": "Teapot", "price": 128.5]
        let cup: JSONValue = ["id": 2, "name": "Cup", "price": 12]
        let tray: JSONValue = ["id": 3, "name": "Tray", "price": 48]
        stubs.on(
            ProductListManager.self,
            answers: [
                .json(["code": 0, "content": ["items": [teapot, cup], "total": 3]]),
                .json(["code": 0, "content": ["items": [tray], "total": 3]]),
            ])
        while try await list.nextPage() != nil {}
        XCTAssertEqual(list.items.map(\.name), ["Teapot", "Cup", "Tray"])
    }
}
