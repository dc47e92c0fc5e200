import DiscreteNetworking

nonisolated struct Cart: Decodable, Sendable { let count: Int }

final class AddToCartManager: APIManager<Cart>, APIManagerValidator {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "cart"
    let requestType = HTTPMethod.post
    override var requiresLogin: Bool { true }

    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
        (params["quantity"]?.int ?? 0) > 0 ? .valid : .invalid(reason: "quantity has to be positive")
    }
}
