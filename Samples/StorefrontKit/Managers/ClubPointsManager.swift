import DiscreteNetworking

nonisolated struct Points: Decodable, Sendable {
    let points: Int
}

/// What a member has collected. No params.
final class ClubPointsManager: APIManager<Points> {
    let serviceIdentifier = ServiceIdentifier.club
    let methodName = "home/points"
    let requestType = HTTPMethod.get
}
