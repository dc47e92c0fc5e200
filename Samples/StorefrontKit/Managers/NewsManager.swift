import DiscreteNetworking

/// What is new in the shop, as it happens: server-sent events. No params.
final class NewsManager: APIManager<ByteStream> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "news"
    let requestType = HTTPMethod.get
}
