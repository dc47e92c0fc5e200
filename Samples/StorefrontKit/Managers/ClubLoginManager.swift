import DiscreteNetworking

nonisolated struct Member: Decodable, Sendable {
    let uid: String
    let nickname: String
}

extension SessionTokens {
    /// The club knows a member by the number.
    init(_ member: Member) { self.init(accessToken: member.uid, user: member.uid) }
}

/// Params: `username`, `password`.
final class ClubLoginManager: APIManager<Member> {
    let serviceIdentifier = ServiceIdentifier.club
    let methodName = "home/login"
    /// As the club has it. Elsewhere a password belongs in a body.
    let requestType = HTTPMethod.get
    override var usesSession: Bool { false }
}
