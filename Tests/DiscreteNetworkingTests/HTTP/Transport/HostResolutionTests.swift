import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

/// What a resolution asks a resolver, and what it makes of the answers.
@MainActor
final class HostResolutionTests: XCTestCase {
    private let shop = "shop.example.com"

    // MARK: The cache

    func testAddressesAreUsedForTheirTimeToLive() async {
        let resolver = TestResolver(["203.0.113.7", "2001:db8::7"])
        let names = resolver.resolution()
        for seconds in [0.0, 59] {
            resolver.time.current = 1000 + seconds
            let addresses = await names.addresses(for: shop)
            XCTAssertEqual(addresses, ["203.0.113.7", "2001:db8::7"])
        }
        XCTAssertEqual(resolver.asked.current, [shop])
        let upper = await names.addresses(for: "Shop.Example.COM")
        XCTAssertEqual(upper, ["203.0.113.7", "2001:db8::7"])
        XCTAssertEqual(resolver.asked.current, [shop])
        names.removeAll()
        _ = await names.addresses(for: shop)
        XCTAssertEqual(resolver.asked.current, [shop, shop])
    }

    func testATimeToLiveHasLimits() async {
        for (lifetime, limit) in [
            (0.0, 10.0), (-5, 10), (.nan, 10), (.infinity, 86_400), (1e12, 86_400),
        ] {
            let resolver = TestResolver(["203.0.113.7"], for: lifetime)
            let names = resolver.resolution(staleLimit: 0)
            _ = await names.addresses(for: shop)
            resolver.time.current = 1000 + limit - 1
            _ = await names.addresses(for: shop)
            XCTAssertEqual(resolver.asked.current.count, 1, "\(lifetime)")
            resolver.time.current = 1000 + limit
            _ = await names.addresses(for: shop)
            XCTAssertEqual(resolver.asked.current.count, 2, "\(lifetime)")
        }
    }

    func testAStaleAnswerIsUsedWhileANewOneIsAskedFor() async {
        let gate = Gate()
        let isSecond = Locked(false)
        let resolver = TestResolver(["203.0.113.7"]) { _ in if isSecond.current { await gate.pass() } }
        let names = resolver.resolution(staleLimit: 100)
        _ = await names.addresses(for: shop)
        isSecond.current = true
        resolver.set(["203.0.113.8"])
        resolver.time.current = 1159
        for _ in 0..<3 {
            let stale = await names.addresses(for: shop)
            XCTAssertEqual(stale, ["203.0.113.7"])
        }
        await gate.arrival()
        XCTAssertEqual(resolver.asked.current.count, 2)
        // Now it is too old, and waited for.
        resolver.time.current = 1160
        let waiting = Task { [shop] in await names.addresses(for: shop) }
        gate.open()
        let fresh = await waiting.value
        XCTAssertEqual(fresh, ["203.0.113.8"])
        XCTAssertEqual(resolver.asked.current.count, 2)
    }

    func testAHundredCallsAskOnce() async {
        let gate = Gate()
        let resolver = TestResolver(["203.0.113.7"]) { _ in await gate.pass() }
        let names = resolver.resolution()
        let calls = (0..<100).map { _ in Task { [shop] in await names.addresses(for: shop) } }
        let other = Task { await names.addresses(for: "img.example.com") }
        await gate.arrival(2)
        gate.open()
        for call in calls {
            let addresses = await call.value
            XCTAssertEqual(addresses, ["203.0.113.7"])
        }
        _ = await other.value
        XCTAssertEqual(resolver.asked.current.sorted(), ["img.example.com", shop])
    }

    /// The addresses of another network are not those of this one.
    func testAddressesRequestedBeforeARemovalAreNotCached() async {
        let gate = Gate()
        let resolver = TestResolver(["203.0.113.7"]) { _ in await gate.pass() }
        let names = resolver.resolution()
        let call = Task { [shop] in await names.addresses(for: shop) }
        await gate.arrival()
        names.removeAll()
        gate.open()
        let old = await call.value
        XCTAssertEqual(old, ["203.0.113.7"])
        resolver.set(["203.0.113.8"])
        let new = await names.addresses(for: shop)
        XCTAssertEqual(new, ["203.0.113.8"])
    }

    func testTheCacheIsBounded() async {
        let resolver = TestResolver(["203.0.113.7"])
        let names = resolver.resolution()
        for number in 0..<HostResolution.capacity + 1 {
            _ = await names.addresses(for: "h\(number).example.com")
        }
        _ = await names.addresses(for: "h1.example.com")
        XCTAssertEqual(resolver.asked.current.count, HostResolution.capacity + 1)
        _ = await names.addresses(for: "h0.example.com")
        XCTAssertEqual(resolver.asked.current.count, HostResolution.capacity + 2)
    }

    // MARK: Failures

    func testAResolverThatFailsLeavesTheHostToTheSystemForAWhile() async {
        let resolver = TestResolver(nil)
        let names = resolver.resolution()
        for _ in 0..<3 {
            let addresses = await names.addresses(for: shop)
            XCTAssertEqual(addresses, [])
        }
        XCTAssertEqual(resolver.asked.current.count, 1)
        XCTAssertEqual(resolver.failures.current.map(\.reason), [.failed("Silence")])
        XCTAssertFalse("\(resolver.failures.current)".contains("s3cr3t"))
        resolver.time.current += 10
        resolver.set(["203.0.113.7"])
        let addresses = await names.addresses(for: shop)
        XCTAssertEqual(addresses, ["203.0.113.7"])
    }

    func testAResolverThatFailsLeavesAStaleAnswer() async {
        let resolver = TestResolver(["203.0.113.7"])
        let names = resolver.resolution(staleLimit: 100)
        _ = await names.addresses(for: shop)
        resolver.set(nil)
        resolver.time.current = 1100
        _ = await names.addresses(for: shop)
        await until { resolver.failures.current.count == 1 }
        let stale = await names.addresses(for: shop)
        XCTAssertEqual(stale, ["203.0.113.7"])
        resolver.time.current = 1160
        let none = await names.addresses(for: shop)
        XCTAssertEqual(none, [])
    }

    func testASlowResolverIsNotWaitedForAndItsLateAnswerIsUsed() async {
        let gate = Gate()
        let resolver = TestResolver(["203.0.113.7"]) { _ in await gate.pass() }
        let names = resolver.resolution(timeout: 0.05)
        let both = (0..<2).map { _ in Task { [shop] in await names.addresses(for: shop) } }
        for call in both {
            let addresses = await call.value
            XCTAssertEqual(addresses, [])
        }
        // The next call does not wait at all, and no second question is asked.
        let next = await names.addresses(for: shop)
        XCTAssertEqual(next, [])
        XCTAssertEqual(resolver.asked.current.count, 1)
        XCTAssertEqual(resolver.failures.current.map(\.reason), [.timedOut(0.05)])
        gate.open()
        var late: [String]?
        while late?.isEmpty != false { late = await names.addresses(for: shop) }
        XCTAssertEqual(late, ["203.0.113.7"])
        XCTAssertEqual(resolver.asked.current.count, 1)
    }

    func testACallWaitsNoLongerThanItsOwnLimit() async {
        let gate = Gate()
        defer { gate.open() }
        let resolver = TestResolver(["203.0.113.7"]) { _ in await gate.pass() }
        let addresses = await resolver.resolution().addresses(for: shop, within: 0.05)
        XCTAssertEqual(addresses, [])
        XCTAssertEqual(resolver.failures.current, [])
    }

    func testACanceledCallDoesNotWaitAndOthersGoOn() async {
        let gate = Gate()
        let resolver = TestResolver(["203.0.113.7"]) { _ in await gate.pass() }
        let names = resolver.resolution()
        let first = Task { [shop] in await names.addresses(for: shop) }
        await gate.arrival()
        let second = Task { [shop] in await names.addresses(for: shop) }
        first.cancel()
        let canceled = await first.value
        XCTAssertEqual(canceled, [])
        gate.open()
        let addresses = await second.value
        XCTAssertEqual(addresses, ["203.0.113.7"])
    }

    // MARK: Hostile answers

    func testOnlyAddressesOfServersAreUsed() async {
        let hostile = [
            "203.0.113.7,198.51.100.1", "203.0.113.7\n-*:443", "example.com", "", "203.0.113", "0x7f.0.0.1",
            "127.1", "2130706433", "[2001:db8::7]", "fe80::1%lo", "203.0.113.7:443", "203.0.113.7\0",
            "0.0.0.0", "::", "224.0.0.1", "255.255.255.255", "ff02::1", " 203.0.113.7", "٢٠٣.0.113.7",
            String(repeating: "1", count: 10_000),
        ]
        for text in hostile {
            let resolver = TestResolver([text])
            let addresses = await resolver.resolution().addresses(for: shop)
            XCTAssertEqual(addresses, [], text.debugDescription)
            XCTAssertEqual(
                resolver.failures.current.map(\.reason),
                [.invalidAddress(String(text.prefix(64))), .noAddress])
            XCTAssertFalse("\(resolver.failures.current[0])".contains("\n"))
        }
        let mixed = TestResolver(["a:b", "203.0.113.7", "203.0.113.7", "2001:DB8:0::7"])
        let addresses = await mixed.resolution().addresses(for: shop)
        XCTAssertEqual(addresses, ["203.0.113.7", "2001:db8::7"])
        let many = TestResolver((1...200).map { "203.0.113.\($0)" })
        let first = await many.resolution().addresses(for: shop)
        XCTAssertEqual(first?.count, 8)
    }

    func testHostsThatTheResolverIsNotAskedFor() async {
        let resolver = TestResolver(["203.0.113.7"])
        let names = resolver.resolution()
        for host in [
            "localhost", "LOCALHOST", "api.localhost", "127.0.0.1", "[::1]", "::1", "203.0.113.9",
            "printer.local",
            "printer", "a_b:1", "a,b.example", "a\n.example", "", ".", "a..b", "127.0.0.1%00.example.com",
            "1.2",
            "0x7f.1", "1.0x7f", String(repeating: "a.", count: 200) + "b", "shop.example.com.",
            String(repeating: "a", count: 64) + ".example",
        ] {
            let addresses = await names.addresses(for: host)
            XCTAssertNil(addresses, host.debugDescription)
        }
        XCTAssertEqual(resolver.asked.current, [])

        let some = resolver.resolution(hosts: ["Shop.example.com", "printer"])
        for (host, isAsked) in [
            (shop, true), ("printer", true), ("img.example.com", false), ("a.shop.example.com", false),
        ] {
            let addresses = await some.addresses(for: host)
            XCTAssertEqual(addresses, isAsked ? ["203.0.113.7"] : nil, host)
        }
    }

    func testHostsThatAreNoNamesAreTold() {
        let resolver = TestResolver([])
        _ = resolver.resolution(hosts: [
            "api.example.com:8443", "localhost", "商店.example", "shop.example.com",
        ])
        XCTAssertEqual(
            Set(resolver.failures.current),
            Set(
                ["api.example.com:8443", "localhost", "商店.example"].map {
                    .init(host: $0, reason: .invalidHost)
                }))
    }

    func testTheResolverDoesNotWaitForItself() async {
        let names = Locked<HostResolution?>(nil)
        let inside = Locked<[String]??>(nil)
        let resolver = TestResolver(["203.0.113.7"]) { host in
            inside.current = await names.current?.addresses(for: host)
        }
        names.current = resolver.resolution()
        let addresses = await names.current?.addresses(for: shop)
        XCTAssertEqual(addresses, ["203.0.113.7"])
        XCTAssertEqual(inside.current, .some(nil))
    }

    // MARK: Addresses that do not work

    private func note(
        _ names: HostResolution, _ addresses: [String], reached: String? = nil,
        _ error: TransportError.Kind? = nil, isNew: Bool = true
    ) {
        names.note(
            HostConnection(addresses: addresses, reached: reached, isNew: isNew, error: error), of: shop)
    }

    func testAnAddressThatCannotBeConnectedToIsUsedLast() async {
        let resolver = TestResolver(["203.0.113.7", "203.0.113.8"])
        let names = resolver.resolution()
        _ = await names.addresses(for: shop)
        // The connection went to the second one, so that the first one does not answer.
        note(names, ["203.0.113.7", "203.0.113.8"], reached: "203.0.113.8")
        var addresses = await names.addresses(for: shop)
        XCTAssertEqual(addresses, ["203.0.113.8", "203.0.113.7"])
        await until { resolver.asked.current.count == 2 }
        resolver.time.current += 60
        addresses = await names.addresses(for: shop)
        XCTAssertEqual(addresses, ["203.0.113.7", "203.0.113.8"])
    }

    func testAnAnswerThatLeadsNowhereIsAskedForAgain() async {
        let resolver = TestResolver(["203.0.113.7", "203.0.113.8"])
        let names = resolver.resolution()
        _ = await names.addresses(for: shop)
        resolver.set(["203.0.113.9"])
        note(names, ["203.0.113.7", "203.0.113.8"], .cannotConnect)
        let addresses = await names.addresses(for: shop)
        XCTAssertEqual(addresses, ["203.0.113.9"])
    }

    func testIfNoAddressIsLeftTheSystemResolvesTheHost() async {
        let resolver = TestResolver(["203.0.113.7"])
        let names = resolver.resolution()
        _ = await names.addresses(for: shop)
        note(names, ["203.0.113.7"], .cannotConnect)
        for _ in 0..<3 {
            let addresses = await names.addresses(for: shop)
            XCTAssertEqual(addresses, [])
        }
        XCTAssertEqual(resolver.asked.current.count, 2)
    }

    func testWhichAddressesAreBad() {
        let all = ["2001:db8::1", "203.0.113.1", "203.0.113.2", "2001:db8::2"]
        func bad(
            _ reached: String?, _ error: TransportError.Kind? = nil, isNew: Bool = true
        ) -> [String] {
            HostConnection(addresses: all, reached: reached, isNew: isNew, error: error).bad
        }
        XCTAssertEqual(bad(nil, .cannotConnect), all)
        XCTAssertEqual(bad(nil, .timedOut), ["2001:db8::1"])
        XCTAssertEqual(bad("203.0.113.2", .timedOut), ["203.0.113.1"])
        XCTAssertEqual(bad("203.0.113.2", .serverCertificateUntrusted), ["203.0.113.2"])
        XCTAssertEqual(bad("203.0.113.2"), ["203.0.113.1"])
        XCTAssertEqual(bad("2001:db8::2"), ["2001:db8::1"])
        XCTAssertEqual(bad("203.0.113.2", isNew: false), [])
        XCTAssertEqual(bad("198.51.100.1"), [])
        XCTAssertEqual(bad("2001:db8::1"), [])
    }

    // MARK: URLs and texts

    func testAnAddressTakesThePlaceOfTheHostOnly() throws {
        for (url, address, expected) in [
            (
                "https://a.example/x%2Fy?q=a.example#f", "203.0.113.7",
                "https://203.0.113.7/x%2Fy?q=a.example#f"
            ),
            ("https://a.example:8443", "2001:db8::7", "https://[2001:db8::7]:8443"),
            ("HTTPS://a.example?x=://b", "203.0.113.7", "HTTPS://203.0.113.7?x=://b"),
            ("https://user:password@a.example/", "203.0.113.7", nil),
            ("https://[::1]/", "203.0.113.7", nil),
        ] {
            XCTAssertEqual(
                try XCTUnwrap(URL(string: url)).replacingHost(with: address)?.absoluteString, expected)
        }
    }

    func testAResolutionShowsNoSecretOfItsResolver() {
        struct Secretive: HostResolver {
            let key = "s3cr3t"
            func addresses(for host: String) async throws -> ResolvedAddresses { .init([], timeToLive: 0) }
        }
        let names = HostResolution(Secretive(), hosts: ["b.example", "a.example"])
        var text = "\(names) \([names])"
        dump(names, to: &text)
        XCTAssertFalse(text.contains("s3cr3t"), text)
        XCTAssertTrue(text.contains("Secretive for a.example, b.example"), text)
    }
}
