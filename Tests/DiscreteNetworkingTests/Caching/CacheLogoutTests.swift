import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What is kept of a user goes with the user, wherever and whenever it was kept.
@MainActor
final class CacheLogoutTests: XCTestCase {
    func testALogoutBeforeTheFirstCallForgetsWhatTheLastRunLeft() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = MemoryCredentialStore()
        for run in 1...2 {
            let session = TokenSession(store: store)
            let disk = DiskCache(folder: folder.url)
            let stack = Stack(ClosureTransport.counting(), disk: disk) { $0.session = session }
            if run == 1 {
                session.adopt(SessionTokens(accessToken: "a"))
                _ = try await stack.manager(keeping: .disk).load()
                XCTAssertEqual(disk.usage.count, 1)
            } else {
                try await session.logOut()
                XCTAssertEqual(disk.usage.count, 0)
            }
        }
    }

    /// A proxy makes its own caches at the first call that needs them.
    func testALogoutBeforeTheFirstCallForgetsWhatIsInTheStandardFolder() async throws {
        let store = MemoryCredentialStore()
        let folders = [KeptManager.user, KeptManager.other]
            .map { ResponseFolder.standard.appendingPathComponent(ResponseFolder.name(of: $0)) }
        defer { for folder in folders { try? FileManager.default.removeItem(at: folder) } }
        for run in 1...2 {
            let services = ServiceFactory()
            let session = TokenSession(store: store)
            services.register([
                KeptManager.user: { TestService { $0.session = session } },
                KeptManager.other: { TestService { _ in } },
            ])
            let proxy = ApiProxy(transport: ClosureTransport.counting(), services: services)
            if run == 1 {
                session.adopt(SessionTokens(accessToken: "a"))
                for service in [KeptManager.user, KeptManager.other] {
                    let manager = KeptManager(service)
                    manager.proxy = proxy
                    _ = try await manager.load()
                }
                XCTAssertEqual(folders.map { CacheFixture.files(in: $0).count }, [1, 1])
            } else {
                try await session.logOut()
                XCTAssertEqual(folders.map { CacheFixture.files(in: $0).count }, [0, 1])
            }
        }
    }

    func testALogoutForgetsInEveryProxy() async throws {
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "a"))
        let stacks = (1...2).map { _ in Stack(ClosureTransport.counting()) { $0.session = session } }
        for stack in stacks { _ = try await stack.manager(keeping: .memory).load() }
        try await session.logOut()
        for stack in stacks {
            XCTAssertEqual((stack.proxy.caches.memory as? MemoryCache)?.usage.count, 0)
        }
    }

    /// Alice's token is refused while her answer is revalidated, and Bob logs in.
    func testARevalidationThatALoginInterruptsAsksForTheNewUser() async throws {
        let transport = ClosureTransport { request in
            let user = request.headers["Authorization"] == "Bearer bob" ? "bob" : "alice"
            if request.headers["If-None-Match"] != nil {
                return TransportResponse(request, json: #"{}"#, status: user == "bob" ? 304 : 401)
            }
            return TransportResponse(
                url: request.url, status: 200, headers: ["ETag": "\"\(user)\""],
                body: .data(Data(#"{"id":1,"name":"\#(user)"}"#.utf8)))
        }
        let login = LoginStub { _ in .loggedIn(SessionTokens(accessToken: "bob")) }
        let session = TokenSession(login: login)
        session.adopt(SessionTokens(accessToken: "alice"))
        let stack = Stack(transport) { $0.session = session }
        let manager = stack.manager(keeping: CachePolicy(.revalidate))
        var product = try await manager.load()
        XCTAssertEqual(product.name, "alice")
        if let second = try? await manager.load() { XCTAssertEqual(second.name, "bob") }
        product = try await manager.load()
        XCTAssertEqual(product.name, "bob")
        for request in transport.requests where request.headers["Authorization"] == "Bearer bob" {
            XCTAssertNotEqual(request.headers["If-None-Match"], "\"alice\"")
        }
    }
}

/// A manager of services that no other test has.
private final class KeptManager: APIManager<Product> {
    static let user = ServiceIdentifier(rawValue: "kept \(UUID())")
    static let other = ServiceIdentifier(rawValue: "kept \(UUID())")

    let serviceIdentifier: ServiceIdentifier
    let methodName = "products/detail"
    let requestType = HTTPMethod.get

    init(_ service: ServiceIdentifier) { serviceIdentifier = service }

    override var cachePolicy: CachePolicy { .disk }
}
