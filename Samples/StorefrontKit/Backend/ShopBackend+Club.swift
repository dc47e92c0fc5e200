import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var clubRoutes: [LoopbackRoute] {
        [
            club("home/login") { [self] params, _ in
                guard let username = params["username"]?.string else { return .badParams("username") }
                guard params["password"]?.string == "longjing" else { return .wrongPassword }
                let uid = state.withLock { state in
                    let uid = String(10_000 + state.nextNumber())
                    state.members.insert(uid)
                    return uid
                }
                return .content(["uid": uid, "nickname": username])
            },
            club("home/points") { [self] _, uid in
                guard let uid, state.withLock({ $0.members.contains(uid) }) else { return .unauthorized }
                return .content(["points": 520])
            },
        ]
    }

    /// A route of the club; every one of them insists on the client's `cid` and a right signature.
    private func club(
        _ path: String, answer: @escaping @Sendable (JSONValue, String?) -> ShopAnswer
    ) -> LoopbackRoute {
        .get("/api/\(path)") { request in
            guard ReceivedSignature(of: request)?.isRight(secret: "spring-water") == true else {
                return ShopAnswer.badSignature.clubResponse
            }
            let fields = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
            guard fields["cid"] == "000001" else { return ShopAnswer.badParams("cid").clubResponse }
            guard let params = try? JSONValue(parsing: fields["q"] ?? "{}"), params.object != nil else {
                return ShopAnswer.badParams("q").clubResponse
            }
            return answer(params, fields["uid"]).clubResponse
        }
    }
}

extension ShopAnswer {
    /// The club's envelope: what is wrong with the call itself is in the outer code, what the club has against it in the
    /// inner one. Its parts are written in two languages, one of which makes texts of all numbers.
    fileprivate var clubResponse: LoopbackResponse {
        let isOutside = code == ShopCode.badSignature || code == ShopCode.badParams
        let inner: JSONValue = ["code": .string(code.canonicalText), "re": content]
        let envelope: JSONValue = [
            "code": isOutside ? code : 0, "msg": .string(message), "content": isOutside ? nil : inner,
        ]
        return .json(envelope.canonicalText, status: status)
    }
}
