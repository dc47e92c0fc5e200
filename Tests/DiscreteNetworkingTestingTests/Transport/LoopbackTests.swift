import DiscreteNetworking
import DiscreteNetworkingTesting
import LoopbackServer
import XCTest

/// A manager end to end, over a real connection, with what an app's tests can see of the server.
@MainActor
final class LoopbackTests: XCTestCase {
    private final class DeskService: Service {
        let url = Locked(URL(string: "http://127.0.0.1:1")!)
        var baseURL: URL { url.current }
    }

    private final class TeaManager: APIManager<Product> {
        let serviceIdentifier = ServiceIdentifier.shop
        let methodName = "teas/{id}"
        let requestType = HTTPMethod.get
    }

    private func manager(of server: LoopbackServer) -> TeaManager {
        let services = ServiceFactory()
        services.register([.shop: DeskService.self])
        (services.service(for: .shop) as? DeskService)?.url.current = server.baseURL
        let manager = TeaManager()
        manager.proxy = ApiProxy(services: services)
        return manager
    }

    func testRoutesRequestLogAndFaults() async throws {
        let server = try LoopbackServer(routes: [
            .get("/teas/7") { _ in .json(#"{"id": 7, "name": "龙井"}"#) },
            .get("/teas/8") { _ in .fault(.reset) },
            .get("/teas/{id}") { _ in .status(404) },
        ])
        defer { server.stop() }
        let manager = manager(of: server)
        await assertSucceeds(manager, with: ["id": 7]) { XCTAssertEqual($0.name, "龙井") }
        await assertFails(manager, with: ["id": 8], .transport(.connectionLost))
        await assertFails(manager, with: ["id": 9], .http(status: 404))
        XCTAssertEqual(Set(server.requests.map(\.path)), ["/teas/7", "/teas/8", "/teas/9"])
        XCTAssertNotNil(server.requests.first?.header("User-Agent"))
    }
}
