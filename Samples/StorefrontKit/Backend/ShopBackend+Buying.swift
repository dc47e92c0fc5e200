import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var buyingRoutes: [LoopbackRoute] {
        [
            shop("POST", "users/login") { [self] call in
                guard let username = call.params.string("username") else { return .badParams("username") }
                guard call.params.string("password") == "longjing" else { return .wrongPassword }
                let token = state.withLock { state in
                    let token = "token-\(state.nextNumber())"
                    state.carts[token] = 0
                    return token
                }
                return .content(["token": token, "nickname": username])
            },
            shop("POST", "cart/items") { [self] call in
                guard let token = token(of: call) else { return .unauthorized }
                guard let id = call.params.int("productID") else { return .badParams("productID") }
                guard let quantity = call.params.int("quantity"), 1...99 ~= quantity else {
                    return .badParams("quantity")
                }
                guard Catalog.product(id) != nil else { return .unknownProduct }
                let count = state.withLock { state in
                    state.carts[token, default: 0] += quantity
                    return state.carts[token, default: 0]
                }
                return .content(["count": count])
            },
            shop("POST", "orders") { [self] call in
                guard let token = token(of: call) else { return .unauthorized }
                guard let items = call.params["items"]?.array, !items.isEmpty else {
                    return .badParams("items")
                }
                guard call.params.string("address")?.isEmpty == false else { return .badParams("address") }
                return order(items, token: token)
            },
        ]
    }

    private func order(_ items: [JSONValue], token: String) -> ShopAnswer {
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
            state.orders[order] = token
            return order
        }
        return .content(["orderID": order, "total": total])
    }
}
