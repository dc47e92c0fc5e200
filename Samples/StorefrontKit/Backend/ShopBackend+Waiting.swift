import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    /// Two that do not answer before their gate opens: one is slow, the other waits for news. And one that tells what it sees.
    var waitingRoutes: [LoopbackRoute] {
        [
            shop("GET", "products/{id}/recommendations") { [recommendations] _ in
                let products = Catalog.products.suffix(2).map(\.params)
                return .content(["products": products]).delayed(until: recommendations)
            },
            shop("GET", "traces/own") { .content(["traceparent": $0.traceparent]) },
            members("GET", "orders/{orderID}/status") { [self] call, account in
                guard let order = call.path["orderID"], state.withLock({ $0.orders[order] }) == account else {
                    return .unknownOrder
                }
                return .content(["status": "已发货"]).delayed(until: news)
            },
        ]
    }
}
