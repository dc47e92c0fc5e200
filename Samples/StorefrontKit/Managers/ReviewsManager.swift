import DiscreteNetworking

/// What others say. Params: `id` of a product.
final class ReviewsManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}/reviews"
    let requestType = HTTPMethod.get
}
