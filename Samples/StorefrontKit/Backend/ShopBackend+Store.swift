import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    /// The likes of a product, which a user gives once, and a kiln that gets hotter with each look.
    var storeRoutes: [LoopbackRoute] {
        [
            shop("GET", "products/{id}/likes") { [state] call in
                let count = state.withLock { $0.visits["like \(call.path["id"] ?? "")"] ?? 0 }
                return .content(["count": 41 + count])
            },
            shop("POST", "products/{id}/likes") { [state] call in
                let isFirst = state.withLock { state in
                    let place = "like \(call.path["id"] ?? "")"
                    guard state.visits[place] == nil else { return false }
                    state.visits[place] = 1
                    return true
                }
                return isFirst ? .content([:]) : .badParams("id")
            },
            shop("GET", "kiln") { [state] _ in
                let looks = state.withLock { state in
                    state.visits["kiln", default: 0] += 1
                    return state.visits["kiln"] ?? 0
                }
                return .content(["degrees": 400 * looks, "isDone": looks >= 3])
            },
        ]
    }
}
