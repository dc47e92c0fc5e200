import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is stored: responses and cookies.
@MainActor
final class StoredTurnTests: XCTestCase {
    /// Two screens show a response, one of them without ever loading it.
    func testAScreenThatNeverLoadsDoesNotTakeTheReloadOfAnother() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport)
        let (watching, loading) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        watching.ownCache = CachePolicy(.cacheOnly, memory: 180)
        loading.ownCache = .memory
        _ = try await loading.load(with: ["id": 7])
        let first = StoredOutputSource(watching, params: ["id": 7])
        let second = StoredOutputSource(loading, params: ["id": 7])
        _ = try await first.next()
        _ = try await second.next()
        await stack.proxy.responses.invalidate(.endpoint(.test, methodName: "products/detail"))
        let one = Task { try await first.next() }
        for _ in 0..<1000 { await Task.yield() }
        let two = Task { try await second.next() }
        await until(within: 3) { transport.requests.count == 2 }
        one.cancel()
        two.cancel()
        withExtendedLifetime((watching, loading)) {}
    }

    /// A cookie of a web view is added before the first request of a start.
    func testACookieThatWasAddedIsStored() async throws {
        let url = try XCTUnwrap(URL(string: "https://shop.example.com/"))
        let store = MemoryCredentialStore()
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "t", user: "casa"))
        let first = CookieJar(store: store)
        await first.machinery.turn(for: session.snapshot, of: session).keep(["sid=1; Max-Age=60"], from: url)
        try await first.save()

        let second = CookieJar(store: store)
        let cookie = try XCTUnwrap(
            HTTPCookie(properties: [
                .name: "web", .value: "2", .domain: "shop.example.com", .path: "/",
                .expires: Date(timeIntervalSinceNow: 60),
            ]))
        XCTAssertTrue(second.add(cookie))
        await (second.machinery as? JarPart)?.persistence?.queue.run {}
        let sent = await second.machinery.turn(for: session.snapshot, of: session).header(for: url)
        XCTAssertEqual(sent, "sid=1; web=2")
        await (second.machinery as? JarPart)?.persistence?.queue.run {}

        let third = CookieJar(store: store)
        let found = await third.machinery.turn(for: session.snapshot, of: session).header(for: url)
        XCTAssertEqual(found, "sid=1; web=2")
    }
}
