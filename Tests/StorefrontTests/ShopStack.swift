import DiscreteNetworking
import LoopbackServer

@testable import StorefrontKit

/// A stack of its own for one test: server, services and proxy. Nothing in it is shared.
@MainActor
final class ShopStack {
    let server: LoopbackServer
    let proxy: ApiProxy
    /// The sample's own; `nil` where answers are canned.
    let backend: ShopBackend?
    let services = ServiceFactory()

    /// With the sample's own backend.
    init() throws {
        let backend = ShopBackend()
        self.backend = backend
        server = try backend.start()
        proxy = ApiProxy(services: services)
        connect()
    }

    /// With canned answers, for what the backend does not do by itself.
    init(routes: [LoopbackRoute]) throws {
        backend = nil
        server = try LoopbackServer(routes: routes)
        proxy = ApiProxy(services: services)
        connect()
    }

    private func connect() {
        services.keepInMemory()
        services.registerStorefront(at: server.baseURL)
    }

    var shop: ShopService? { services.service(for: .shop) as? ShopService }

    /// That of the shop.
    var session: TokenSession? { services.configuration(for: .shop)?.session }

    var club: ClubService? { services.service(for: .club) as? ClubService }

    /// The request that arrived last.
    var lastRequest: LoopbackRequest? { server.requests.last }

    /// Where something is on its server.
    func url(_ path: String) -> String { server.baseURL.appendingPathComponent(path).absoluteString }

    /// For managers that need a login.
    func logIn(as user: String = "小红") async throws {
        let manager = LoginManager()
        manager.proxy = proxy
        let session = try await manager.load(with: ["username": user, "password": "longjing"])
        self.session?.adopt(session.tokens)
    }

    func stop() { server.stop() }
}
