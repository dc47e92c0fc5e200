import DiscreteNetworking

nonisolated struct WishList: Decodable, Sendable {
    let products: [Product]
}

/// What the user would like to have. No params. The shop's backend does not have it yet; until then its sample answers,
/// where that is switched on.
final class WishListManager: APIManager<WishList> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "wishes"
    let requestType = HTTPMethod.get

    override var sample: SampleResponse? {
        .json([
            "code": 0, "msg": "ok",
            "content": ["products": [["id": 3, "name": "紫砂壶", "price": 52_000, "stock": 3]]],
        ])
    }
}
