import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var mapRoutes: [LoopbackRoute] {
        [
            .get("/map/v3/geocode/regeo") { request in
                let params = ReceivedParams(request)
                guard params.string("key")?.isEmpty == false else {
                    return Self.map(status: "0", info: "INVALID_USER_KEY")
                }
                let degrees = params.string("location")?.split(separator: ",").compactMap { Double($0) } ?? []
                guard degrees.count == 2, abs(degrees[0]) <= 180, abs(degrees[1]) <= 90 else {
                    return Self.map(status: "0", info: "INVALID_PARAMS")
                }
                return Self.map(
                    status: "1", info: "OK", regeocode: ["formatted_address": "上海市黄浦区人民大道200号"])
            }
        ]
    }

    /// The map's envelope.
    private static func map(status: String, info: String, regeocode: JSONValue = .null) -> LoopbackResponse {
        let envelope: JSONValue = [
            "status": .string(status), "info": .string(info), "regeocode": regeocode,
        ]
        return .json(envelope.canonicalText)
    }
}
