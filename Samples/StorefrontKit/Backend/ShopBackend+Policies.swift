import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    /// Three with moods: one is busy at first, one says something else each time, one is broken.
    var moodyRoutes: [LoopbackRoute] {
        [
            shop("GET", "flashsale") { [self] _ in
                let visit = visit("flashsale")
                guard visit > 1 else { return .busy }
                return .content(["product": Catalog.products[0].params, "visits": visit])
            },
            shop("GET", "products/{id}/stock") { [self] call in
                guard let product = call.path["id"].flatMap({ Int($0) }).flatMap(Catalog.product) else {
                    return .unknownProduct
                }
                // Somebody else buys one between any two looks.
                return .content(["left": product.stock + 1 - visit("stock/\(product.id)")])
            },
            shop("GET", "products/{id}/reviews") { _ in .broken },
        ]
    }

    private func visit(_ place: String) -> Int {
        state.withLock { state in
            state.visits[place, default: 0] += 1
            return state.visits[place, default: 0]
        }
    }
}
