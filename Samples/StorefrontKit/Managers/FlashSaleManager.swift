import DiscreteNetworking

nonisolated struct FlashSale: Decodable, Sendable {
    let product: Product
    /// How often the shop was asked, this time included.
    let visits: Int
}

/// What is on sale for an hour. No params.
final class FlashSaleManager: APIManager<FlashSale> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "flashsale"
    let requestType = HTTPMethod.get

    /// Everybody comes at the same time; the shop is busy for a moment.
    override var retryPolicy: RetryPolicy? { RetryPolicy(attempts: 4, base: 0.05) }
}
