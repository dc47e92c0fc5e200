import DiscreteNetworking

nonisolated struct Stock: Decodable, Sendable {
    let left: Int
}

/// How many there are. Params: `id` of a product.
final class StockManager: APIManager<Stock> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}/stock"
    let requestType = HTTPMethod.get

    /// Better a number of a minute ago at once, and the right one a moment later.
    override var cachePolicy: CachePolicy { CachePolicy(.staleWhileRevalidate, memory: 60) }
}
