import DiscreteNetworking

/// The business codes of the shop, as its backend team documents them.
enum ShopCode {
    static let badParams: JSONValue = 40001
    static let wrongPassword: JSONValue = 40101
    static let unauthorized: JSONValue = 40102
    static let expiredToken: JSONValue = 40103
    static let badSignature: JSONValue = 40301
    static let unknownProduct: JSONValue = 40401
    static let unknownOrder: JSONValue = 40402
    static let outOfStock: JSONValue = 40901
    static let usedCard: JSONValue = 40902
    static let broken: JSONValue = 50001
    static let busy: JSONValue = 50301
}
