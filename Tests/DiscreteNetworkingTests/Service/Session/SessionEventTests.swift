import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What the app shell is told.
@MainActor
final class SessionEventTests: XCTestCase {
    private struct Outage: Error {}

    func testEveryListenerHearsEverythingInOrder() async throws {
        let fails = Locked(false)
        let login = LoginStub { _ in .cancelled }
        let session = TokenSession(login: login) { tokens, proxy in
            if fails.current { throw Outage() }
            return try await TokenSession.standardRefresh(tokens, proxy)
        }
        let streams = [session.events, session.events]
        let stack = SessionStack(session)
        stack.desk.expire()
        _ = await failure(stack.manager())
        fails.current = true
        stack.desk.expire()
        _ = await failure(stack.manager())
        stack.desk.revoke()
        _ = await failure(stack.manager())
        try await session.logOut()
        for stream in streams {
            var heard: [SessionEvent] = []
            for await event in stream {
                heard.append(event)
                if event == .loggedOut { break }
            }
            XCTAssertEqual(
                heard,
                [
                    .loggedIn, .expired, .refreshed, .expired,
                    .refreshFailed(.failed(reason: "it threw a Outage.")), .loginRequired, .loggedOut,
                ])
        }
    }

    func testNotificationsSayTheSameOnTheMainThread() async throws {
        let names: [Notification.Name] = [
            .tokenSessionLoggedIn, .tokenSessionExpired, .tokenSessionRefreshed, .tokenSessionLoginRequired,
            .tokenSessionLoggedOut,
        ]
        XCTAssertEqual(Set(names).count, names.count)
        let session = TokenSession(refresh: TokenSession.standardRefresh)
        let heard = Locked<[Notification.Name]>([])
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                notification in
                XCTAssertTrue(Thread.isMainThread)
                heard.withLock { $0.append(notification.name) }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        let stack = SessionStack(session)
        stack.desk.expire()
        _ = await failure(stack.manager())
        stack.desk.revoke()
        _ = await failure(stack.manager())
        try await session.logOut()
        await until { heard.current.count >= names.count }
        XCTAssertEqual(heard.current, names)
    }

    func testAListenerThatLeavesIsForgotten() async {
        let session = TokenSession()
        do {
            var iterator = session.events.makeAsyncIterator()
            session.adopt(SessionTokens(accessToken: "a"))
            let event = await iterator.next()
            XCTAssertEqual(event, .loggedIn)
            XCTAssertEqual(session.listeners.count, 1)
        }
        XCTAssertEqual(session.listeners.count, 0)
    }

    func testTheEventsEndWithTheSession() async {
        var session: TokenSession? = TokenSession()
        let events = session?.events
        session = nil
        guard let events else { return XCTFail() }
        for await event in events { XCTFail("\(event)") }
    }
}
