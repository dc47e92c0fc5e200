import DiscreteNetworking

/// Has the shop end all its tokens, as time or an administrator would. Params: `as`, `expired` or `illegal`.
final class LapseManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "tokens/lapse"
    let requestType = HTTPMethod.post
}
