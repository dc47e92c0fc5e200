import DiscreteNetworking

nonisolated struct Order: Decodable, Sendable {
    let orderID: String
    /// In fen.
    let total: Int
}

/// Params: `items`, an array of `productID` and `quantity`; `address`. Needs a login.
final class PlaceOrderManager: APIManager<Order> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "orders"
    let requestType = HTTPMethod.post
}
