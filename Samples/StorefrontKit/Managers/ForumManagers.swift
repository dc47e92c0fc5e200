import DiscreteNetworking

nonisolated struct ForumMember: Decodable, Sendable {
    let nickname: String
}

/// Logs in at the forum. Params: `username`, `password`. The cookie that comes with the response is its result.
final class ForumLoginManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.forum
    let methodName = "login"
    let requestType = HTTPMethod.post
}

/// Who the forum thinks is there. No params.
final class ForumMemberManager: APIManager<ForumMember> {
    let serviceIdentifier = ServiceIdentifier.forum
    let methodName = "member"
    let requestType = HTTPMethod.get
}
