import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var deliveryRoutes: [LoopbackRoute] {
        [
            shop("GET", "deliveries") { [drift] _ in
                let deliveries = Self.deliveries.map { delivery in
                    var delivery = delivery
                    drift?.change(&delivery)
                    return delivery
                }
                return .content(["deliveries": deliveries])
            }
        ]
    }

    private static let deliveries: [Params] = [
        ["id": 1, "fee": 1200, "state": "packed", "courier": JSONValue.null],
        ["id": 2, "fee": 800, "state": "packed", "courier": JSONValue.null],
        ["id": 3, "fee": 1200, "state": "shipped", "courier": "小王"],
        ["id": 4, "fee": 0, "state": "shipped", "courier": "小李"],
        ["id": 5, "fee": 800, "state": "delivered", "courier": "小王"],
        ["id": 6, "fee": 1200, "state": "delivered", "courier": "小李"],
    ]
}
