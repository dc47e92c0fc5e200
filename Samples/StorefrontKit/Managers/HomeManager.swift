import DiscreteNetworking

nonisolated struct Home: Decodable, Sendable {
    let banners: [String]
    let categories: [String]
}

/// The first page of the shop. No params.
final class HomeManager: APIManager<Home> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "home"
    let requestType = HTTPMethod.get

    /// The banners change once a day.
    override var cachePolicy: CachePolicy { .memory }
}
