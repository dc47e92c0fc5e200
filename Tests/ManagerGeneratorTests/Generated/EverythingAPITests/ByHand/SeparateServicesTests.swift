import DiscreteNetworking
import DiscreteNetworkingTesting
import EverythingAPI
import Foundation
import XCTest

/// Written by hand, as a user adds a test to the generated ones.
final class SeparateServicesTests: XCTestCase {
    @MainActor
    func testNothingOfOneServiceIsSentToTheOther() async throws {
        let stubs = StubTransport()
        let factory = ServiceFactory()
        factory.register([
            .everything: EverythingService.self, .everythingUploads: EverythingUploadsService.self,
        ])
        let proxy = ApiProxy(stubbing: stubs, services: factory)
        let service = try XCTUnwrap(factory.service(for: .everything) as? EverythingService)
        service.credentials.withLock {
            $0.key = "secret"
            $0.queryKey = "secret"
        }
        service.session.adopt(SessionTokens(accessToken: "secret"))
        let manager = PutElsewhereManager(body: .data(Data("bytes".utf8)))
        manager.proxy = proxy
        stubs.on(PutElsewhereManager.self, answer: .status(204))
        let uploads = try XCTUnwrap(factory.service(for: .everythingUploads) as? EverythingUploadsService)
        uploads.session.adopt(SessionTokens(accessToken: "another"))
        try await manager.load(with: .init(name: "a"))
        let request = try XCTUnwrap(stubs.requests.first)
        XCTAssertEqual(request.url.absoluteString, "https://uploads.example.com/bodies/elsewhere/a")
        XCTAssertEqual(request.headers["Authorization"], "Bearer another")
        XCTAssertNil(request.headers["X-API-Key"])
    }
}
