import DiscreteNetworking

nonisolated struct Member: Decodable, Sendable {
    let uid: String
    let nickname: String
}

/// Params: `username`, `password`.
final class ClubLoginManager: APIManager<Member> {
    let serviceIdentifier = ServiceIdentifier.club
    let methodName = "home/login"
    let requestType = HTTPMethod.post
}
