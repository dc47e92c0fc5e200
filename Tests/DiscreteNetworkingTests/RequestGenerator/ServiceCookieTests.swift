import DiscreteNetworking
import Foundation
import LoopbackServer
import XCTest

/// The cookies of a service and those of a call's params are one header.
@MainActor
final class ServiceCookieTests: XCTestCase {
    private final class CookieService: Service {
        static let server = Locked<URL?>(nil)
        var baseURL: URL { Self.server.current! }

        func extraHeaders(for call: APICall) -> [String: String] { ["Cookie": "sid=key; theme=service"] }
        func encoding(for call: APICall) -> any ParamEncoding {
            .placed(["session": .cookie, "theme": .cookie])
        }
    }

    private final class CookieManager: APIManager<NoContent> {
        let serviceIdentifier: ServiceIdentifier = "cookies"
        let methodName = "a"
        let requestType = HTTPMethod.get
    }

    func testCookiesOfAServiceAreBesideThoseOfTheParams() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        defer { server.stop() }
        CookieService.server.current = server.baseURL
        let services = ServiceFactory()
        services.register(["cookies": CookieService.self])
        for (params, cookie) in [
            ([:], "sid=key; theme=service"), (["session": "own"], "session=own; sid=key; theme=service"),
            (["theme": "dark"], "theme=dark; sid=key"),
        ] as [(Params, String)] {
            let manager = CookieManager()
            manager.proxy = ApiProxy(services: services)
            try await manager.load(with: params)
            XCTAssertEqual(server.requests.last?.header("Cookie"), cookie)
        }
    }
}
