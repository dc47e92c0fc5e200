import DiscreteNetworking

struct ProductPage: Decodable, Sendable {
    let products: [Product]
    let page: Int
    let pageCount: Int
}

/// The products, page by page: every call loads the next one.
final class ProductListManager: APIManager<ProductPage> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products"
    let requestType = HTTPMethod.get

    private(set) var nextPage = 1

    /// A list that is being scrolled asks many times for the same page.
    override var loadPolicy: LoadPolicy { .ignoreNew }

    /// The screen does not know about pages.
    override func reform(_ params: Params) -> Params {
        params.merging(["page": nextPage, "pageSize": 3])
    }

    /// Not sooner: a page that failed is asked for again.
    override func beforeSuccess(with response: APIResponse) -> Bool {
        nextPage += 1
        return true
    }

    /// Starts again from the first page, as pull-to-refresh does.
    override func cleanData() {
        super.cleanData()
        nextPage = 1
    }
}
