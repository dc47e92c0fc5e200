import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    /// Two that do not answer before their gate opens: one is slow, the other waits for news.
    var waitingRoutes: [LoopbackRoute] {
        [
            shop("GET", "products/{id}/recommendations") { [recommendations] _ in
                let products = Catalog.products.suffix(2).map(\.params)
                return .content(["products": products]).delayed(until: recommendations)
            },
            shop("GET", "orders/{orderID}/status") { [self] call in
                guard let token = token(of: call) else { return .unauthorized }
                guard let order = call.path["orderID"], state.withLock({ $0.orders[order] }) == token else {
                    return .unknownOrder
                }
                return .content(["status": "已发货"]).delayed(until: news)
            },
        ]
    }
}
