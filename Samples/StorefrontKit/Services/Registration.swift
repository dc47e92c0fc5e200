import DiscreteNetworking
import Foundation

extension ServiceFactory {
    /// What an app does once, at start-up, with ``ServiceFactory/shared``.
    /// - Parameter credentials: who is logged in at the club rests there.
    func registerStorefront(credentials: any CredentialStore = MemoryCredentialStore()) {
        register([
            .shop: ShopService.self,
            .map: MapService.self,
            .wallet: WalletService.self,
            .forum: ForumService.self,
        ])
        // One that needs more than its class is made by a closure.
        register([.club: { ClubService(store: credentials) }])
    }

    /// Points all services at one server.
    func useServer(at url: URL) {
        (service(for: .shop) as? ShopService)?.useServer(at: url)
        (service(for: .map) as? MapService)?.useServer(at: url)
        (service(for: .club) as? ClubService)?.useServer(at: url)
        (service(for: .wallet) as? WalletService)?.useServer(at: url)
        (service(for: .forum) as? ForumService)?.useServer(at: url)
    }
}
