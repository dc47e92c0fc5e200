import DiscreteNetworking
import Foundation

extension ServiceFactory {
    /// What an app does once, at start-up, with ``ServiceFactory/shared``.
    func registerStorefront() {
        register([
            .shop: ShopService.self,
            .map: MapService.self,
            .club: ClubService.self,
        ])
    }

    /// Points all services at one server.
    func useServer(at url: URL) {
        (service(for: .shop) as? ShopService)?.useServer(at: url)
        (service(for: .map) as? MapService)?.useServer(at: url)
        (service(for: .club) as? ClubService)?.useServer(at: url)
    }
}
