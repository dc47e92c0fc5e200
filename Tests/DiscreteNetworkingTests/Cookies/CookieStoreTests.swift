import Foundation
import XCTest

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stored cookies: their user, two processes, and clocks; for failures of the store, see ``CookieStoreFailureTests``.
final class CookieStoreTests: XCTestCase {
    private let url = URL(string: "https://shop.example.com/")!

    /// A session in which a user is logged in; `nil` for nobody.
    private func session(of user: String?) -> TokenSession {
        let session = TokenSession()
        if let user { session.adopt(SessionTokens(accessToken: "s3cr3t-token", user: user)) }
        return session
    }

    private func turn(_ jar: CookieJar, of session: TokenSession) async -> any CookieKeeping {
        await jar.machinery.turn(for: session.snapshot, of: session)
    }

    /// The cookies of a turn, in alphabetical order: the order of merged cookies depends on when they were merged.
    private func pairs(_ turn: any CookieKeeping) -> [String] {
        (turn.header(for: url) ?? "").components(separatedBy: "; ").sorted()
    }

    private func stored(_ store: MemoryCredentialStore) throws -> JSONValue? {
        try store.read("cookies").map { try JSONValue(parsing: $0) }
    }

    /// The app adds a cookie before the first exchange, and the store has changed since it was read.
    func testAnAddedCookieIsJoinedByWhatAnotherProcessHasStored() async throws {
        let store = MemoryCredentialStore()
        let first = CookieJar(store: store)
        let turn = await first.anonymousTurn()
        turn.keep(["a=1; Max-Age=60"], from: url)
        try await first.save()
        let second = CookieJar(store: store)
        await second.load()
        turn.keep(["a=2; Max-Age=60"], from: url)
        try await first.save()
        let added = try XCTUnwrap(
            HTTPCookie(properties: [
                .name: "b", .value: "1", .domain: "shop.example.com", .path: "/",
                .expires: Date().addingTimeInterval(60),
            ]))
        XCTAssertTrue(second.add(added))
        try await second.save()
        let found = await second.anonymousTurn()
        XCTAssertEqual(pairs(found), ["a=2", "b=1"])
    }

    func testRemovedCookiesAreRemovedFromTheStoreWithoutASave() async throws {
        let store = MemoryCredentialStore()
        let jar = CookieJar(store: store)
        await jar.anonymousTurn().keep(["a=1; Max-Age=60"], from: url)
        try await jar.save()
        XCTAssertNotNil(store.read("cookies"))
        jar.removeAll()
        await until { store.read("cookies") == nil }
    }

    // MARK: Users

    func testTheStoreNamesTheUserButNoToken() async throws {
        let store = MemoryCredentialStore()
        let (jar, session) = (CookieJar(store: store), session(of: "casa"))
        await turn(jar, of: session).keep(["sid=1; Max-Age=60"], from: url)
        try await jar.save()
        let value = try XCTUnwrap(stored(store))
        XCTAssertEqual(value["user"]?.string, session.snapshot.subject)
        XCTAssertEqual(value["cookies"]?.array?.count, 1)
        XCTAssertFalse(
            "\(String(decoding: store.read("cookies") ?? Data(), as: UTF8.self))".contains("s3cr3t"))
    }

    func testOnlyTheSameUserFindsStoredCookies() async throws {
        for (user, expected) in [("casa", "sid=1"), ("tigerhu", nil), (nil, nil)] as [(String?, String?)] {
            let store = MemoryCredentialStore()
            let first = CookieJar(store: store)
            await turn(first, of: session(of: "casa")).keep(["sid=1; Max-Age=60"], from: url)
            try await first.save()
            let second = CookieJar(store: store)
            let found = await turn(second, of: session(of: user)).header(for: url)
            XCTAssertEqual(found, expected)
            try await second.save()
            XCTAssertEqual(store.read("cookies") != nil, expected != nil, "they are removed from the store")
        }
    }

    func testCookiesOfNobodyAreStoredOnceAUserHasLoggedIn() async throws {
        let store = MemoryCredentialStore()
        let (jar, session) = (CookieJar(store: store), session(of: nil))
        await turn(jar, of: session).keep(["sid=1; Max-Age=60"], from: url)
        try await jar.save()
        XCTAssertNil(store.read("cookies"))
        session.adopt(SessionTokens(accessToken: "1", user: "casa"))
        let found = await turn(jar, of: session).header(for: url)
        XCTAssertEqual(found, "sid=1")
        try await jar.save()
        XCTAssertNotNil(store.read("cookies"))
    }

    func testStoredCookiesWithoutAUserAreForServicesWithoutASession() async throws {
        let old =
            #"[{"name":"a","value":"1","domain":"shop.example.com","path":"/","isSecure":true,"expires":4000000000}]"#
        for user in ["casa", nil] {
            let store = MemoryCredentialStore()
            store.write(Data(old.utf8), for: "cookies")
            let found = await turn(CookieJar(store: store), of: session(of: user)).header(for: url)
            XCTAssertNil(found)
        }
        let store = MemoryCredentialStore()
        store.write(Data(old.utf8), for: "cookies")
        let found = await CookieJar(store: store).anonymousTurn().header(for: url)
        XCTAssertEqual(found, "a=1")
    }

    func testALockedSessionStoreSendsNoCookiesAndRemovesNone() async throws {
        let store = MemoryCredentialStore()
        let first = CookieJar(store: store)
        await turn(first, of: session(of: "casa")).keep(["sid=1; Max-Age=60"], from: url)
        try await first.save()
        let locked = TokenSession(store: FailingStore(.deviceLocked), key: "session")
        let second = CookieJar(store: store)
        let closed = await turn(second, of: locked)
        closed.keep(["sid=2; Max-Age=60"], from: url)
        XCTAssertNil(closed.header(for: url))
        let found = await turn(second, of: session(of: "casa")).header(for: url)
        XCTAssertEqual(found, "sid=1")
    }

    // MARK: Two jars with one store

    func testTwoJarsOfOneUserKeepEachOthersCookies() async throws {
        let store = MemoryCredentialStore()
        let (first, second) = (CookieJar(store: store), CookieJar(store: store))
        let casa = session(of: "casa")
        let (one, two) = (await turn(first, of: casa), await turn(second, of: casa))
        one.keep(["a=1; Max-Age=60", "b=1; Max-Age=60"], from: url)
        try await first.save()
        two.keep(["c=2; Max-Age=60"], from: url)
        try await second.save()
        XCTAssertEqual(pairs(two), ["a=1", "b=1", "c=2"])
        two.keep(["a=; Max-Age=0"], from: url)
        try await second.save()
        one.keep(["d=1; Max-Age=60"], from: url)
        try await first.save()
        XCTAssertEqual(pairs(one), ["b=1", "c=2", "d=1"], "a was removed by the other one")
        let third = await turn(CookieJar(store: store), of: casa).header(for: url)
        XCTAssertEqual(third?.split(separator: ";").count, 3)
    }

    func testAJarLeavesCookiesThatAnotherOneStoredForAnotherUser() async throws {
        let store = MemoryCredentialStore()
        let (first, second) = (CookieJar(store: store), CookieJar(store: store))
        let one = await turn(first, of: session(of: "casa"))
        one.keep(["sid=casa; Max-Age=60"], from: url)
        try await first.save()
        let two = await turn(second, of: session(of: "tigerhu"))
        two.keep(["sid=tigerhu; Max-Age=60"], from: url)
        try await second.save()
        one.keep(["more=casa; Max-Age=60"], from: url)
        try await first.save()
        XCTAssertEqual(one.header(for: url), "sid=casa; more=casa")
        XCTAssertEqual(two.header(for: url), "sid=tigerhu")
        let text = String(decoding: try XCTUnwrap(store.read("cookies")), as: UTF8.self)
        XCTAssertTrue(text.contains("tigerhu"))
        XCTAssertFalse(text.contains("casa"))
        second.removeAll()
        try await second.save()
        one.keep(["last=casa; Max-Age=60"], from: url)
        try await first.save()
        XCTAssertNil(store.read("cookies"), "after a logout by another process")
    }

    // MARK: Clocks

    func testACookieThatWasSetInTheFutureEnds() async throws {
        let store = MemoryCredentialStore()
        let day: TimeInterval = 86_400
        let (wrong, right) = (Date(timeIntervalSince1970: 4e9), Date(timeIntervalSince1970: 1.75e9))
        let first = CookieJar(store: store, now: { wrong })
        await first.anonymousTurn().keep(["a=1; Max-Age=60"], from: url)
        try await first.save()
        let now = Locked(right)
        let second = CookieJar(store: store, now: { now.current })
        let turn = await second.anonymousTurn()
        XCTAssertEqual(turn.header(for: url), "a=1")
        now.current = right + 401 * day
        XCTAssertNil(turn.header(for: url))
        now.current = right
        XCTAssertEqual(turn.header(for: url), "a=1", "a clock that was wrong for a moment loses no cookie")
    }
}
