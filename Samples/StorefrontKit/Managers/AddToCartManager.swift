import DiscreteNetworking

nonisolated struct Cart: Decodable, Sendable {
    let count: Int
}

/// Params: `productID`, `quantity`. Needs a login.
final class AddToCartManager: APIManager<Cart>, APIManagerValidator {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "cart/items"
    let requestType = HTTPMethod.post

    /// An old endpoint, which does not read JSON.
    override var encoding: (any ParamEncoding)? { .form }

    /// Refused here, nonsense costs no traffic.
    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
        guard let quantity = params["quantity"]?.int, 1...99 ~= quantity else {
            return .invalid(reason: "quantity has to be 1 to 99")
        }
        return .valid
    }
}
