import DiscreteNetworking

nonisolated struct ProductPage: APIPage {
    let items: [Product]
    let total: Int?
}

final class ProductListManager: PagedAPIManager<ProductPage> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products"
    let requestType = HTTPMethod.get
    let paging = Paging.number(size: 2)
}
