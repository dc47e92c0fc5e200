import DiscreteNetworking

/// What the shop sells.
enum Catalog {
    static let products = [
        Product(id: 1, name: "龙井茶 250克", price: 16800, stock: 40),
        Product(id: 2, name: "青花瓷茶杯", price: 8850, stock: 12),
        Product(id: 3, name: "紫砂壶", price: 52000, stock: 3),
        Product(id: 4, name: "真丝围巾", price: 29900, stock: 0),
        Product(id: 5, name: "竹编食盒", price: 12600, stock: 25),
    ]

    static func product(_ id: Int) -> Product? { products.first { $0.id == id } }
}

extension Product {
    var params: Params { ["id": id, "name": name, "price": price, "stock": stock] }
}
