import DiscreteNetworking

/// How many users like a product.
nonisolated struct Likes: Codable, Sendable, Equatable {
    var count: Int
}

/// Params: `id`, which goes into the path.
final class LikesManager: APIManager<Likes> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}/likes"
    let requestType = HTTPMethod.get
    override var cachePolicy: CachePolicy { .memory }
}

/// Likes a product, once. Params: `id`, which goes into the path.
final class LikeManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}/likes"
    let requestType = HTTPMethod.post
    override func invalidates(with params: Params) -> [StaleOutput] {
        [StaleOutput(LikesManager(), with: ["id": params["id"]])]
    }
}
