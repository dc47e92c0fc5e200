import DiscreteNetworking

nonisolated struct WrittenReview: Decodable, Sendable {
    let stars: Int
    let isNotified: Bool
}

/// Says what one thinks of a product. Params: `id`, `stars` and `text`; and `notify`, whether the seller is told, which the
/// shop wants in the query.
final class WriteReviewManager: APIManager<WrittenReview> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}/reviews"
    let requestType = HTTPMethod.post

    override var encoding: (any ParamEncoding)? { .query(["notify", "cid"], rest: .json) }
}
