import DiscreteNetworking
import Foundation

extension ServiceFactory {
    /// What an app does once, at start-up, with ``ServiceFactory/shared``.
    /// - Parameters:
    ///   - server: The server of all services; `nil` for those of the backends.
    ///   - credentials: Where the club keeps who is logged in.
    func registerStorefront(
        at server: URL? = nil, credentials: any CredentialStore = MemoryCredentialStore()
    ) {
        register([.shop: ShopService.self])
        // One that needs more than its class is made by a closure.
        register([
            .map: {
                guard let map = server?.appendingPathComponent("map") else { return MapService() }
                return MapService(hosts: [map, map])
            },
            .wallet: { WalletService(server: server) },
            .forum: { ForumService(server: server) },
            .questions: { QuestionService(server: server) },
            .club: { ClubService(server: server, store: credentials) },
        ])
        if let server { (service(for: .shop) as? ShopService)?.useServer(at: server) }
    }
}
