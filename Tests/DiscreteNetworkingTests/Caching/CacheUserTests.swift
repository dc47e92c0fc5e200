import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// One user never sees what was kept of another's data.
@MainActor
final class CacheUserTests: XCTestCase {
    func testUsersOfASessionAreTold() async throws {
        let transport = ClosureTransport.counting()
        let session = TokenSession()
        let stack = Stack(transport) { $0.session = session }
        let manager = stack.manager(keeping: .memory)
        session.adopt(SessionTokens(accessToken: "a", refreshToken: "ra"))
        var ids = [try await manager.load().id]
        session.adopt(SessionTokens(accessToken: "a2", refreshToken: "ra"))
        ids.append(try await manager.load().id)
        session.adopt(SessionTokens(accessToken: "b", refreshToken: "rb"))
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 1, 2])
    }

    func testALogoutForgetsWhatIsKept() async throws {
        let session = TokenSession()
        let stack = Stack(ClosureTransport.counting()) {
            $0.session = session
            $0.user = "casa"
        }
        let manager = stack.manager(keeping: .memory)
        session.adopt(SessionTokens(accessToken: "a"))
        _ = try await manager.load()
        try await session.logOut()
        session.adopt(SessionTokens(accessToken: "a"))
        let product = try await manager.load()
        XCTAssertEqual(product.id, 2)
    }

    func testAnAnswerThatCameForSomebodyElseIsNotKept() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let session = TokenSession()
        let stack = Stack(transport) { $0.session = session }
        let manager = stack.manager(keeping: .memory)
        session.adopt(SessionTokens(accessToken: "a"))
        let task = Task { try await manager.load() }
        await gate.arrival()
        session.adopt(SessionTokens(accessToken: "b"))
        gate.open()
        _ = try await task.value
        _ = try await manager.load()
        XCTAssertEqual(transport.requests.map { $0.headers["Authorization"] }, ["Bearer a", "Bearer b"])
        session.adopt(SessionTokens(accessToken: "a"))
        _ = try await manager.load()
        XCTAssertEqual(transport.requests.count, 3)
    }

    func testAnAnswerThatComesAfterALogoutLeavesNothing() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let session = TokenSession()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let disk = DiskCache(folder: folder.url)
        let stack = Stack(transport, disk: disk) { $0.session = session }
        let manager = stack.manager(keeping: .memoryAndDisk)
        session.adopt(SessionTokens(accessToken: "a"))
        let task = Task { try await manager.load() }
        await gate.arrival()
        try await session.logOut()
        gate.open()
        _ = try await task.value
        XCTAssertEqual(disk.usage.count, 0)
        XCTAssertEqual((stack.proxy.caches.memory as? MemoryCache)?.usage.count, 0)
    }
}
