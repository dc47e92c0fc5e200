import DiscreteNetworking

/// Params: `id`, which goes into the path.
final class ProductDetailManager: APIManager<Product> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}"
    let requestType = HTTPMethod.get
}
