import DiscreteNetworking
import Foundation

extension ServiceFactory {
    /// What an app does once, at start-up, with ``ServiceFactory/shared``.
    func registerStorefront() {
        register([
            .shop: ShopService.self,
            .map: MapService.self,
        ])
    }

    /// Points both services at one server.
    func useServer(at url: URL) {
        if let shop = service(for: .shop) as? ShopService {
            shop.developURL.current = url.appendingPathComponent("api")
            shop.environment.current = .develop
        }
        if let map = service(for: .map) as? MapService {
            map.address.current = url.appendingPathComponent("map")
        }
    }
}
