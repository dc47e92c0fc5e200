import DiscreteNetworking

extension ServiceIdentifier {
    /// Left out of the registration on purpose, to show what happens then.
    static let coupons: Self = "coupons"
}

final class CouponManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.coupons
    let methodName = "coupons"
    let requestType = HTTPMethod.get
}
