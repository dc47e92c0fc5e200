import DiscreteNetworking
import DiscreteNetworkingTesting
import EverythingAPI
import Foundation
import XCTest

/// Each operation sends what its `security` names, and nothing else.
@MainActor
final class CredentialTests: XCTestCase {
    private let stubs = StubTransport()
    private let factory = ServiceFactory()

    override func setUp() async throws {
        factory.register([.everything: EverythingService.self])
        factory.keepInMemory()
    }

    private func service() throws -> EverythingService {
        try XCTUnwrap(factory.service(for: .everything) as? EverythingService)
    }

    /// Sets every credential.
    private func setAll() throws {
        let service = try service()
        service.credentials.withLock {
            $0.key = "header key"
            $0.queryKey = "query-key"
            $0.cookieKey = "cookie-key"
            $0.admin = "admin-token"
            $0.basic = .basic(user: "user", password: "password")
        }
        service.session.adopt(SessionTokens(accessToken: "user-token"))
    }

    /// The credentials in the request of a manager: the scheme of `Authorization` and its value, and the keys by place.
    private func sent<Manager: BaseAPIManager>(
        by manager: Manager, _ load: (Manager) async throws -> Void
    ) async throws -> [String: String] {
        manager.proxy = ApiProxy(stubbing: stubs, services: factory)
        stubs.on(Manager.self, answer: .status(500))
        try? await load(manager)
        let request = try XCTUnwrap(stubs.requests.last)
        var sent: [String: String] = [:]
        sent["Authorization"] = request.headers["Authorization"]
        sent["X-API-Key"] = request.headers["X-API-Key"]
        sent["Cookie"] = request.headers["Cookie"]
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        sent["api_key"] = items.first { $0.name == "api_key" }?.value
        return sent
    }

    private var basic: String { "Basic " + Data("user:password".utf8).base64EncodedString() }

    func testNoSecurityIsNoCredential() async throws {
        try setAll()
        let events = try await sent(by: GetEventsManager()) { _ = try await $0.load() }
        XCTAssertEqual(events, [:])
    }

    func testEachOperationSendsTheFirstAlternativeByValue() async throws {
        try setAll()
        let list = try await sent(by: ListThingsManager()) { _ = try await $0.load() }
        XCTAssertEqual(list, ["X-API-Key": "header key"])
        let head = try await sent(by: HeadListManager()) { _ = try await $0.load() }
        XCTAssertEqual(head, ["X-API-Key": "header key", "api_key": "query-key"])
        let counted = try await sent(by: ListCountedManager()) { _ = try await $0.load() }
        XCTAssertEqual(counted, ["Authorization": basic])
        let dates = try await sent(by: GetDatesManager()) { _ = try await $0.load() }
        XCTAssertEqual(dates, ["Authorization": "Bearer admin-token"])
        let referred = try await sent(by: ReadFixedQueryManager()) { _ = try await $0.load(with: .init()) }
        XCTAssertEqual(referred, ["Authorization": "Bearer user-token"])
    }

    func testAnAlternativeWithoutItsCredentialsIsSkipped() async throws {
        try setAll()
        try service().credentials.withLock { ($0.key, $0.basic) = (nil, nil) }
        let list = try await sent(by: ListThingsManager()) { _ = try await $0.load() }
        XCTAssertEqual(list, ["Authorization": "Bearer user-token"])
        let counted = try await sent(by: ListCountedManager()) { _ = try await $0.load() }
        XCTAssertEqual(counted, ["Authorization": "Bearer user-token"])
        let dates = try await sent(by: GetDatesManager()) { _ = try await $0.load() }
        XCTAssertEqual(dates, ["Authorization": "Bearer admin-token"])
    }

    func testACookieKeyIsBesideTheCookiesOfAnOperation() async throws {
        try setAll()
        let params = GetParamsManager.Arguments(
            id: 1, when: try XCTUnwrap(FullDate("2024-02-29")), tags: ["a"], form: [1], session: "own",
            theme: "dark")
        let sent = try await sent(by: GetParamsManager()) { _ = try await $0.load(with: params) }
        XCTAssertEqual(sent, ["Cookie": "session=own; theme=dark; sid=cookie-key"])
    }
}
