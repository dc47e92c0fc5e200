import DiscreteNetworking

/// The kiln that fires the teapots.
nonisolated struct Kiln: Decodable, Sendable {
    let degrees: Int
    let isDone: Bool
}

/// How hot the kiln is. No params.
final class KilnManager: APIManager<Kiln> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "kiln"
    let requestType = HTTPMethod.get
}
