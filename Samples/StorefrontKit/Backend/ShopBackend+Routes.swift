import DiscreteNetworking
import LoopbackServer

/// A request that came to the shop.
struct ShopCall {
    let params: ReceivedParams
    /// What the places in the path hold.
    let path: [String: String]
    let authorization: String?
    /// The trace that the request belongs to (W3C Trace Context).
    let traceparent: String?
}

extension ShopBackend {
    var shopRoutes: [LoopbackRoute] {
        sessionRoutes + browsingRoutes + buyingRoutes + waitingRoutes + moodyRoutes + deliveryRoutes
    }

    /// A route of the shop; every one of them insists on the client's `cid`.
    func shop(
        _ method: String, _ path: String, answer: @escaping @Sendable (ShopCall) -> ShopAnswer
    ) -> LoopbackRoute {
        LoopbackRoute(method, "/api/v3/\(path)") { request in
            let params = ReceivedParams(request)
            guard params.string("cid") == "000001" else { return ShopAnswer.badParams("cid").response }
            let call = ShopCall(
                params: params, path: request.pathParameters, authorization: request.header("Authorization"),
                traceparent: request.header("traceparent"))
            return answer(call).response
        }
    }
}
