import DiscreteNetworking

nonisolated struct ProductPage: APIPage {
    let products: [Product]
    let page: Int
    let pageCount: Int

    var items: [Product] { products }
    var hasMore: Bool? { page < pageCount }
}

/// The products, page by page.
final class ProductListManager: PagedAPIManager<ProductPage> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products"
    let requestType = HTTPMethod.get
    let paging = Paging.number(size: 3)
}
