import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var buyingRoutes: [LoopbackRoute] {
        [
            members("POST", "cart/items") { [self] call, account in
                guard let id = call.params.int("productID") else { return .badParams("productID") }
                guard let quantity = call.params.int("quantity"), 1...99 ~= quantity else {
                    return .badParams("quantity")
                }
                guard Catalog.product(id) != nil else { return .unknownProduct }
                let count = state.withLock { state in
                    state.carts[account, default: 0] += quantity
                    return state.carts[account, default: 0]
                }
                return .content(["count": count])
            },
            members("POST", "orders") { [self] call, account in
                guard let items = call.params["items"]?.array, !items.isEmpty else {
                    return .badParams("items")
                }
                guard call.params.string("address")?.isEmpty == false else { return .badParams("address") }
                return order(items, for: account)
            },
        ]
    }

    private func order(_ items: [JSONValue], for account: String) -> ShopAnswer {
        var total = 0
        for item in items {
            guard let quantity = item["quantity"]?.int, 1...99 ~= quantity else {
                return .badParams("quantity")
            }
            guard let product = item["productID"]?.int.flatMap(Catalog.product) else {
                return .unknownProduct
            }
            guard product.stock >= quantity else { return .outOfStock(product) }
            total += product.price * quantity
        }
        let order = state.withLock { state in
            let order = "order-\(state.nextNumber())"
            state.orders[order] = account
            return order
        }
        return .content(["orderID": order, "total": total])
    }
}
