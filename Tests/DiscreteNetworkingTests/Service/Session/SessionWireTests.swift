import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Sessions over real sockets, with the transport that the platform has.
@MainActor
final class SessionWireTests: XCTestCase {
    private struct Wire {
        let desk = TokenDesk()
        let server: LoopbackServer
        let session: TokenSession
        let proxy: ApiProxy

        /// - Parameter refreshed: what the server says to a refresh.
        init(
            login: (any SessionLogin)? = nil, hold: LoopbackGate? = nil,
            refreshed: @escaping @Sendable (TokenDesk) -> LoopbackResponse = { .json($0.refreshed()) }
        ) throws {
            server = try LoopbackServer { [desk] request in
                if request.path == "/token" { return refreshed(desk) }
                let (status, json) = desk.judge(request.path, request.header("Authorization"))
                let response = LoopbackResponse.json(json, status: status)
                return hold.map { response.delayed(until: $0) } ?? response
            }
            session = TokenSession(login: login, refresh: TokenSession.standardRefresh)
            let services = ServiceFactory()
            let service = TestService { [session, server] rules in
                rules.baseURL = server.baseURL
                rules.session = session
                rules.timeout = .infinity
                rules.problem = { SessionProblem.byBody($0, at: "id") ?? SessionProblem.byChallenge($0) }
            }
            services.register([.test: { service }])
            proxy = ApiProxy(services: services)
            session.adopt(desk.tokens())
        }

        @MainActor
        func call(_ count: Int) -> [Task<APIError.Kind?, Never>] {
            (0..<count).map { number in
                let manager = ProductManager()
                manager.proxy = proxy
                manager.methodName = "item\(number)"
                return Task { await failure(manager)?.kind }
            }
        }

        /// How often each call went out.
        var visits: [String: Int] { desk.book.current.visits }
        var refreshes: Int { server.requests.filter { $0.path == "/token" }.count }
    }

    func testAHundredCallsWithAnExpiredToken() async throws {
        let wire = try Wire()
        defer { wire.server.stop() }
        wire.desk.expire()
        let kinds = await wire.call(100).values
        XCTAssertEqual(Set(kinds), [nil])
        XCTAssertEqual(wire.refreshes, 1)
        XCTAssertEqual(wire.visits.count, 100)
        XCTAssertEqual(wire.visits.values.filter { $0 > 2 }, [])
    }

    func testAHundredCallsAndARefreshThatFails() async throws {
        let gate = LoopbackGate()
        let wire = try Wire { _ in .status(503).delayed(until: gate) }
        defer { wire.server.stop() }
        wire.desk.expire()
        let calls = wire.call(100)
        await until { wire.session.waiting == 100 }
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds).count, 1)
        guard case .refreshFailed(.failed)? = kinds[0] else { return XCTFail("\(kinds[0] as Any)") }
        XCTAssertEqual(wire.refreshes, 1)
    }

    func testAHundredCallsAndARefreshWhoseConnectionBreaks() async throws {
        let gate = LoopbackGate()
        let wire = try Wire { _ in .fault(.reset).delayed(until: gate) }
        defer { wire.server.stop() }
        wire.desk.expire()
        let calls = wire.call(100)
        await until { wire.session.waiting == 100 }
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds).count, 1)
        guard case .refreshFailed(.failed)? = kinds[0] else { return XCTFail("\(kinds[0] as Any)") }
    }

    func testADownloadWithAnExpiredTokenIsRepeated() async throws {
        let wire = try Wire()
        defer { wire.server.stop() }
        wire.desk.expire()
        let manager = TestManager<DownloadedFile>()
        manager.proxy = wire.proxy
        let file = try await manager.load()
        defer { try? FileManager.default.removeItem(at: file.url) }
        XCTAssertEqual(try String(contentsOf: file.url, encoding: .utf8), teapot)
        XCTAssertEqual(wire.refreshes, 1)
    }

    func testAStreamWithAnExpiredTokenIsRepeated() async throws {
        let wire = try Wire()
        defer { wire.server.stop() }
        wire.desk.expire()
        let manager = TestManager<ByteStream>()
        manager.proxy = wire.proxy
        var bytes = Data()
        for try await byte in try await manager.load() { bytes.append(byte) }
        XCTAssertEqual(String(decoding: bytes, as: UTF8.self), teapot)
        XCTAssertEqual(wire.refreshes, 1)
    }

    func testAHundredCallsWithAnIllegalToken() async throws {
        let desk = Locked<TokenDesk?>(nil)
        let gate = Gate()
        let login = LoginStub { _ in
            await gate.pass()
            return desk.current.map { .loggedIn($0.tokens()) } ?? .cancelled
        }
        let wire = try Wire(login: login)
        defer { wire.server.stop() }
        desk.current = wire.desk
        wire.desk.revoke()
        let calls = wire.call(100)
        await gate.arrival()
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds), [nil])
        XCTAssertEqual(login.logins, 1)
        XCTAssertEqual(wire.refreshes, 0)
        XCTAssertEqual(wire.visits.values.filter { $0 > 2 }, [])
    }
}
