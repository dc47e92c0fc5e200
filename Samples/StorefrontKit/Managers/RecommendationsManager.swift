import DiscreteNetworking
import Foundation

nonisolated struct Recommendations: Decodable, Sendable {
    let products: [Product]
}

/// What others bought. Params: `id` of a product.
final class RecommendationsManager: APIManager<Recommendations> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}/recommendations"
    let requestType = HTTPMethod.get

    /// The page is complete without them, so they have to be quick.
    override var timeout: TimeInterval? { 0.5 }
}
