import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var forumRoutes: [LoopbackRoute] {
        [
            .post("/forum/login") { [self] request in
                let params = ReceivedParams(request)
                guard let username = params.string("username"), params.string("password") == "longjing" else {
                    return .status(403)
                }
                let cookie = "visit-\(state.withLock { state in state.nextNumber() })"
                state.withLock { $0.visitors[cookie] = username }
                return LoopbackResponse.status(204)
                    .adding("Set-Cookie", "visitor=\(cookie); Path=/forum; HttpOnly; SameSite=Lax")
            },
            .get("/forum/member") { [self] request in
                let cookie = request.header("Cookie")?.split(separator: "=", maxSplits: 1)
                guard cookie?.first == "visitor", let value = cookie?.last,
                    let name = state.withLock({ $0.visitors[String(value)] })
                else { return .status(401) }
                return .json(JSONValue.object(["nickname": .string(name)]).canonicalText)
            },
        ]
    }
}
