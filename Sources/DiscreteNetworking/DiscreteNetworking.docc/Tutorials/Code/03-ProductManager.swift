import DiscreteNetworking
import Foundation

nonisolated struct Product: Decodable, Sendable, Identifiable {
    let id: Int
    let name: String
    let price: Decimal
}

final class ProductManager: APIManager<Product> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/{id}"
    let requestType = HTTPMethod.get
}
