import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var clubRoutes: [LoopbackRoute] {
        [
            club("POST", "home/login") { [self] params, _ in
                guard let username = params["username"]?.string else { return .badParams("username") }
                guard params["password"]?.string == "longjing" else { return .wrongPassword }
                let uid = state.withLock { state in
                    let uid = String(10_000 + state.nextNumber())
                    state.members.insert(uid)
                    return uid
                }
                return .content(["uid": uid, "nickname": username])
            },
            club("GET", "home/points") { [self] _, uid in
                guard let uid, state.withLock({ $0.members.contains(uid) }) else { return .unauthorized }
                return .content(["points": 520])
            },
        ]
    }

    /// A route of the club; every one of them insists on the client's `cid` and a right signature.
    private func club(
        _ method: String, _ path: String, answer: @escaping @Sendable (JSONValue, String?) -> ShopAnswer
    ) -> LoopbackRoute {
        LoopbackRoute(method, "/api/\(path)") { request in
            guard ReceivedSignature(of: request)?.isRight(secret: "spring-water") == true else {
                return ShopAnswer.badSignature.response
            }
            let fields = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
            guard fields["cid"] == "000001" else { return ShopAnswer.badParams("cid").response }
            guard let params = fields["q"].flatMap({ try? JSONValue(parsing: $0) }) else {
                return ShopAnswer.badParams("q").response
            }
            return answer(params, fields["uid"]).response
        }
    }
}
