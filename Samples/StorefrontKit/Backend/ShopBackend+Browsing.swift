import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var browsingRoutes: [LoopbackRoute] {
        [
            shop("GET", "home") { _ in
                .content(
                    [
                        "banners": ["春茶上市", "满两百元包邮"],
                        "categories": ["茶叶", "瓷器", "丝绸", "竹器"],
                    ])
            },
            shop("GET", "products") { call in
                guard let page = call.params.int("page"), page > 0 else { return .badParams("page") }
                guard let size = call.params.int("pageSize"), 1...50 ~= size else {
                    return .badParams("pageSize")
                }
                let products = Catalog.products.dropFirst((page - 1) * size).prefix(size)
                return .content(
                    [
                        "products": products.map(\.params), "page": page,
                        "pageCount": (Catalog.products.count + size - 1) / size,
                    ])
            },
            shop("GET", "products/{id}") { call in
                guard let id = call.path["id"].flatMap({ Int($0) }) else { return .badParams("id") }
                guard let product = Catalog.product(id) else { return .unknownProduct }
                return .content(product.params)
            },
        ]
    }
}
