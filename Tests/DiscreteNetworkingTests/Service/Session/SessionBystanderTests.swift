import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

@MainActor
private final class Reloading: APIManagerDelegate {
    let other: ProductManager
    var told = 0
    init(_ other: ProductManager) { self.other = other }
    func managerDidSucceed(_ manager: BaseAPIManager) {
        told += 1
        other.loadData(with: ["id": 9])
    }
    func managerDidFail(_ manager: BaseAPIManager) { managerDidSucceed(manager) }
}

/// Calls that something starts while a session changes: they are no part of the change, and for the user of their time.
@MainActor
final class SessionBystanderTests: XCTestCase {
    func testACallOfAnObserverOfTheExpiryWaitsForTheRefresh() async throws {
        let desk = TokenDesk()
        let gate = Gate()
        let session = TokenSession(refresh: { _, _ in
            await gate.pass()
            return desk.tokens()
        })
        session.adopt(desk.tokens())
        desk.expire()
        let stack = Stack(ClosureTransport { desk.answer($0) }) { $0.session = session }
        let (first, banner) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        banner.methodName = "banner"
        let token = NotificationCenter.default.addObserver(
            forName: .tokenSessionExpired, object: session, queue: nil
        ) { _ in MainActor.assumeIsolated { _ = banner.loadData(with: [:]) } }
        defer { NotificationCenter.default.removeObserver(token) }
        first.loadData(with: [:])
        await gate.arrival()
        await until { banner.isLoading || banner.error != nil }
        for _ in 0..<500 { await Task.yield() }
        gate.open()
        await until { !first.isLoading && !banner.isLoading }
        XCTAssertNil(first.error)
        XCTAssertNil(banner.error, "it is no part of the refresh")
    }

    func testCallsOfAnObserverOfTheRefreshAreLimited() async throws {
        let desk = TokenDesk()
        let session = TokenSession(refresh: { _, _ in desk.tokens() })
        session.adopt(desk.tokens())
        desk.expire()
        let running = Locked((now: 0, most: 0))
        let transport = ClosureTransport { request in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            try? await SystemClock().sleep(for: 0.05)
            running.withLock { $0.now -= 1 }
            return desk.answer(request)
        }
        let stack = Stack(transport) {
            $0.session = session
            $0.limit = 1
        }
        let first = stack.manager(ProductManager())
        let others = (0..<5).map { index in
            let manager = stack.manager(ProductManager())
            manager.methodName = "a\(index)"
            return manager
        }
        let token = NotificationCenter.default.addObserver(
            forName: .tokenSessionRefreshed, object: session, queue: nil
        ) { _ in MainActor.assumeIsolated { for manager in others { manager.loadData(with: [:]) } } }
        defer { NotificationCenter.default.removeObserver(token) }
        first.loadData(with: [:])
        await until { others.allSatisfy { $0.output != nil || $0.error != nil } }
        XCTAssertEqual(others.compactMap(\.error?.kind), [])
        XCTAssertEqual(running.current.most, 1)
    }

    func testACallThatADelegateOfAMemberStartsIsForTheUserOfNow() async throws {
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "alice"))
        let isFirst = Locked(true)
        let transport = ClosureTransport { request in
            let changes = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if changes {
                try? await session.logOut()
                session.adopt(SessionTokens(accessToken: "bob"))
            }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.session = session }
        let (member, other) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        let delegate = Reloading(other)
        member.delegate = delegate
        _ = try? await APIGroup([member]).load()
        await until { delegate.told > 0 && !other.isLoading }
        XCTAssertNil(other.error)
        XCTAssertEqual(transport.requests.last?.headers["Authorization"], "Bearer bob")
    }

    func testAFailedCallOfAUserWhoHasLeftIsNotRepeatedForTheNext() async throws {
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "alice"))
        let gate = Gate()
        let count = Locked(0)
        let transport = ClosureTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { await gate.pass() }
            return TransportResponse(request, json: teapot, status: number == 1 ? 503 : 200)
        }
        let stack = Stack(transport) {
            $0.session = session
            $0.retry = RetryPolicy(attempts: 2, base: 1, retriesUnsafeMethods: true)
        }
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        manager.loadData(with: ["note": "of alice"])
        await gate.arrival()
        gate.open()
        await stack.clock.waitForSleepers()
        try await session.logOut()
        await until { !manager.isLoading && manager.error != nil }
        XCTAssertEqual(manager.error?.kind, .loginRequired)
        session.adopt(SessionTokens(accessToken: "bob"))
        let repeated = manager.repeatFailedCall()
        await until { !manager.isLoading }
        XCTAssertNil(repeated)
        XCTAssertEqual(transport.requests.map { $0.headers["Authorization"] }, ["Bearer alice"])
    }
}
