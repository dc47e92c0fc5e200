import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@testable import StorefrontKit

@MainActor
final class DeliveryManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: DeliveryManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = DeliveryManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testRequestForDeliveriesIsBuilt() async {
        await assertRequest(of: manager, .get, stack.url("api/v3/deliveries"), query: ["cid": "000001"])
    }

    func testStatesOfDeliveriesAreDecoded() async throws {
        let deliveries = try await manager.load().deliveries

        XCTAssertEqual(deliveries.map(\.id), [1, 2, 3, 4, 5, 6])
        XCTAssertEqual(
            deliveries.map(\.state), [.packed, .packed, .shipped, .shipped, .delivered, .delivered])
        XCTAssertEqual(deliveries.filter { $0.courier == nil }.map(\.id), [1, 2], "nobody has them yet")
        XCTAssertEqual(deliveries.map(\.fee).reduce(0, +), 5200)
    }

    func testAStateThatNobodyKnows() async throws {
        let answer = """
            {"code":0,"msg":"ok","content":{"deliveries":[{"id":1,"fee":1,"state":"lost","courier":null}]}}
            """
        stack.stop()
        stack = try ShopStack(routes: [.get("/api/v3/deliveries") { _ in .json(answer) }])
        manager.proxy = stack.proxy

        let kind = await failure(of: manager)

        guard case .decoding(let failure)? = kind else { return XCTFail("\(String(describing: kind))") }
        XCTAssertEqual(failure.path, ["content", "deliveries", "0", "state"])
    }
}
