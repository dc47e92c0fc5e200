import DiscreteNetworking
import Foundation

// An app whose declarations are on the main actor unless they say otherwise.

extension ServiceIdentifier { nonisolated static let shop: Self = "shop" }

nonisolated final class ShopService: Service {
    let baseURL = URL(string: "https://shop.example.com")!
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
}

nonisolated struct Item: Decodable, Sendable { let name: String }

final class ItemManager: APIManager<Item> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "items/{id}"
    let requestType = HTTPMethod.get
    override var timeout: TimeInterval? { 3 }
    override func reform(_ params: Params) -> Params { params.merging(["page": 1]) }
}

enum Sort: String, ParamConvertible { case newest, oldest }

nonisolated struct Canned: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        let body = #"{"code":0,"msg":"","content":{"name":"\#(request.url.path)"}}"#
        return TransportResponse(url: request.url, status: 200, body: .data(Data(body.utf8)))
    }
}

@main
struct MainActorApp {
    static func main() async throws {
        let services = ServiceFactory()
        services.register([.shop: ShopService.self])
        let manager = ItemManager()
        manager.proxy = ApiProxy(transport: Canned(), services: services)
        let item = try await manager.load(with: ["id": 7, "sort": Sort.newest])
        precondition(item.name == "/items/7")
        print("A main-actor app works too.")
    }
}
