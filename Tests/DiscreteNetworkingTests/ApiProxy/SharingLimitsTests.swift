import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// A transport that ends each exchange at the timeout of its request by itself, as curl and URLSession do.
private struct PunctualTransport: TimeKeepingTransport {
    let isOpen = Locked(false)
    let timeouts = Locked<[TimeInterval]>([])

    func send(_ request: APIRequest) async throws -> TransportResponse {
        timeouts.withLock { $0.append(request.timeout) }
        let clock = SystemClock()
        let end = clock.uptime + request.timeout
        while !isOpen.current {
            guard clock.uptime < end else { throw TransportError(.timedOut, message: "late") }
            try await clock.sleep(for: 0.005)
        }
        return TransportResponse(request, json: teapot)
    }
}

private final class AddManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "cart/add"
    let requestType = HTTPMethod.post
    override func invalidates(with params: Params) -> [StaleOutput] { [StaleOutput(ProductManager())] }
}

/// What calls with identical requests do not share: a timeout, a jar, a response from before a change.
@MainActor
final class SharingLimitsTests: XCTestCase {
    func testASharerIsNotEndedByTheTimeoutOfTheOneThatSent() async throws {
        let transport = PunctualTransport()
        let stack = Stack(transport) { $0.sharing = true }
        let (hasty, patient) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        hasty.ownTimeout = 0.5
        patient.ownTimeout = 30
        let joined = Observed(stack.proxy, joins: true)
        let first = Task { await failure(hasty)?.kind }
        await until { transport.timeouts.current.count == 1 }
        let second = Task { await failure(patient)?.kind }
        await joined.count(1)
        let kind = await first.value
        XCTAssertEqual(kind, .timedOut)
        transport.isOpen.current = true
        let other = await second.value
        XCTAssertNil(other, "it has 30 s")
        XCTAssertEqual(transport.timeouts.current, [.infinity], "each waiter has its own timeout")
    }

    func testACallAfterAChangeDoesNotJoinOneBeforeIt() async throws {
        for policy in [CachePolicy.none, .memory] {
            let gate = Gate()
            let name = Locked("before")
            let transport = ClosureTransport { request in
                guard request.method == .get else {
                    name.current = "after"
                    return TransportResponse(request, json: "{}")
                }
                let name = name.current
                await gate.pass()
                return TransportResponse(request, json: #"{"id":7,"name":"\#(name)"}"#)
            }
            let stack = Stack(transport) { $0.sharing = true }
            let (early, late) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
            for manager in [early, late] { manager.ownCache = policy }
            early.loadData(with: [:])
            await gate.arrival()
            _ = try await stack.manager(AddManager()).load(with: [:])
            late.loadData(with: [:])
            await until { transport.requests.count == 3 }
            gate.open()
            await until { !late.isLoading && !early.isLoading }
            XCTAssertEqual(late.output?.name, "after", "loaded after the change was confirmed")
            guard policy != .none else { continue }
            let stored = try await late.cache.output(with: [:], maxAge: .infinity)
            XCTAssertEqual(stored?.name, "after")
        }
    }

    func testEachServiceKeepsTheCookiesOfAResponseThatItsCallsShare() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(
                url: request.url, status: 200, headers: ["Set-Cookie": "sid=1; Path=/"],
                body: .data(Data(teapot.utf8)))
        }
        let (one, two) = (CookieJar(), CookieJar())
        let stack = Stack(transport) {
            $0.sharing = true
            $0.cookies = one
        }
        let other = TestService {
            $0.sharing = true
            $0.cookies = two
        }
        stack.proxy.services.register([.other: { other }])
        let (first, second) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        second.serviceIdentifier = .other
        first.loadData(with: [:])
        await gate.arrival()
        second.loadData(with: [:])
        await until { transport.requests.count == 2 }
        gate.open()
        await until { !first.isLoading && !second.isLoading }
        XCTAssertEqual(one.cookies.map(\.name), ["sid"])
        XCTAssertEqual(two.cookies.map(\.name), ["sid"])
    }

    func testACallThatBeganAfterTheJarWasEmptiedKeepsItsCookies() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(
                url: request.url, status: 200, headers: ["Set-Cookie": "sid=1; Path=/"],
                body: .data(Data(teapot.utf8)))
        }
        let jar = CookieJar()
        let stack = Stack(transport) {
            $0.sharing = true
            $0.cookies = jar
        }
        let (first, second) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        first.loadData(with: [:])
        await gate.arrival()
        jar.removeAll()
        second.loadData(with: [:])
        await until { transport.requests.count == 2 }
        gate.open()
        await until { !first.isLoading && !second.isLoading }
        XCTAssertEqual(jar.cookies.map(\.name), ["sid"])
    }
}
