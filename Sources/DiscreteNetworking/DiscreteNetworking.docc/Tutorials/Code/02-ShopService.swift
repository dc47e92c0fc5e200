import DiscreteNetworking
import Foundation

extension ServiceIdentifier { static let shop: Self = "shop" }

final class ShopService: Service {
    let address = Locked(URL(string: "https://shop.example.com")!)
    var baseURL: URL { address.current }
    var apiVersion: String? { "v1" }

    func extraParams(for call: APICall) -> Params { ["client": "tutorial"] }

    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
}
