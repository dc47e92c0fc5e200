import DiscreteNetworking

nonisolated struct CardValue: Decodable, Sendable {
    /// In cents.
    let value: Int
}

/// Redeems a gift card. Params: `code`. Its service wraps and signs the body.
final class RedeemCardManager: APIManager<CardValue> {
    let serviceIdentifier = ServiceIdentifier.wallet
    let methodName = "cards/redeem"
    let requestType = HTTPMethod.post
}
