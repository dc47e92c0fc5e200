import DiscreteNetworkingCookies
import DiscreteNetworkingCore
import Foundation
import Testing

// An app that imports the core and one module above it, for a backend with cookies and CSRF tokens.

extension ServiceIdentifier { static let forum: Self = "forum" }

final class ForumService: Service {
    let baseURL = URL(string: "https://forum.example.com")!
    let configuration = ServiceConfiguration(
        transport: Board(), cookies: CookieJar(), csrf: CSRFProtection(setBy: "csrf"))
}

final class PostManager: APIManager<[String: String]> {
    let serviceIdentifier = ServiceIdentifier.forum
    let methodName = "posts"
    let requestType = HTTPMethod.post
}

/// Sets the cookie with the token, and responds with what it receives.
nonisolated struct Board: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        guard request.method == .post else {
            return TransportResponse(
                url: request.url, status: 204, headers: ["Set-Cookie": "XSRF-TOKEN=t0ken; Path=/"])
        }
        let received = ["cookie": request.headers["Cookie"], "token": request.headers["X-XSRF-TOKEN"]]
        return TransportResponse(
            url: request.url, status: 200,
            body: .data(try JSONEncoder().encode(received.compactMapValues { $0 })))
    }
}

@MainActor
struct CookiesTests {
    @Test func aTokenOfACookie() async throws {
        let manager = PostManager()
        let proxy = ApiProxy(services: ServiceFactory())
        proxy.services.register([.forum: ForumService.self])
        manager.proxy = proxy
        let received = try await manager.load(with: ["text": "Hello"])
        #expect(received == ["cookie": "XSRF-TOKEN=t0ken", "token": "t0ken"])
        let service = proxy.services.service(for: .forum) as? ForumService
        #expect(service?.configuration.cookies?.cookies.count == 1)
    }
}
