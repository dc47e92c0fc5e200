import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Which network a call may use, and how long it waits for one.
@MainActor
final class NetworkPolicyTests: XCTestCase {
    private let wire = ClosureTransport(json: teapot)

    private func stack(_ path: NetworkPath) -> (Stack, ProductManager) {
        let stack = Stack(Wire(stub: wire))
        stack.reachability.path = path
        return (stack, stack.manager(ProductManager()))
    }

    private let offline = NetworkPath(isConnected: false)
    private let cellular = NetworkPath(isConnected: true, interfaces: [.cellular], isExpensive: true)

    // MARK: Waiting

    func testTheWaitEnds() async {
        let (stack, manager) = stack(offline)
        manager.ownNetwork = .waiting(30)
        let task = Task { await failure(manager) }
        await stack.clock.waitForSleepers()
        await until { stack.reachability.hasListeners }
        stack.clock.advance(by: 29)
        XCTAssertTrue(manager.isLoading)
        stack.clock.advance(by: 1)
        let error = await task.value
        XCTAssertEqual(error?.kind, .notReachable)
        XCTAssertTrue(
            error?.localizedDescription.contains(
                "There is no network connection; the call waited 30 s, and nothing was sent.") == true,
            "\(String(describing: error))")
        XCTAssertEqual(wire.requests.count, 0)
        await until { !stack.reachability.hasListeners }
    }

    func testAWaitMayBeShorterThanASecond() async {
        let (stack, manager) = stack(offline)
        manager.ownNetwork = .waiting(0.5)
        let task = Task { await failure(manager) }
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 0.5)
        let error = await task.value
        XCTAssertEqual(error?.kind, .notReachable)
        XCTAssertEqual(stack.clock.pauses, [0.5])
    }

    func testTheNetworkComesInTime() async throws {
        let (stack, manager) = stack(offline)
        manager.ownNetwork = .waiting(30)
        let task = Task { try await manager.load() }
        await until { stack.reachability.hasListeners }
        stack.reachability.isConnected = true
        let product = try await task.value
        XCTAssertEqual(product.id, 7)
        await until { stack.clock.sleepers == 0 }
    }

    /// A network that comes and goes does not prolong the wait.
    func testTheTimeIsThatOfTheCall() async {
        let (stack, manager) = stack(offline)
        manager.ownNetwork = .waiting(30)
        let built = Locked(0)
        stack.change {
            $0.adapt = { [reachability = stack.reachability] _, _ in
                // Gone again before the second attempt is sent.
                if built.withLock({
                    $0 += 1
                    return $0
                }) == 2 {
                    reachability.isConnected = false
                }
            }
        }
        let task = Task { await failure(manager) }
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 20)
        await until { stack.reachability.hasListeners }
        stack.reachability.isConnected = true
        await until { built.current == 2 && stack.clock.pauses.count == 2 }
        XCTAssertEqual(stack.clock.pauses, [30, 10])
        stack.clock.advance(by: 10)
        let error = await task.value
        XCTAssertEqual(error?.kind, .notReachable)
    }

    func testACallThatWaitsIsCanceledAtOnce() async {
        let (stack, manager) = stack(offline)
        manager.ownNetwork = .waiting(30)
        let task = Task { await failure(manager) }
        await stack.clock.waitForSleepers()
        task.cancel()
        let error = await task.value
        XCTAssertEqual(error?.kind, .cancelled)
        await until { stack.clock.sleepers == 0 && !stack.reachability.hasListeners }
    }

    func testWithoutAWaitTheErrorSaysHowToWait() async {
        let (_, manager) = stack(offline)
        let error = await failure(manager)
        XCTAssertTrue(
            error?.localizedDescription.contains(".waiting") == true, "\(String(describing: error))")
    }

    // MARK: Types of network

    func testPolicyAllowsOnlyItsNetworks() async {
        let hotspot = NetworkPath(isConnected: true, interfaces: [.wifi], isExpensive: true)
        let saving = NetworkPath(isConnected: true, interfaces: [.wifi], isConstrained: true)
        let unknown = NetworkPath(isConnected: true)
        var home = NetworkPolicy.any
        home.allowsCellularAccess = false
        let cheap = NetworkPolicy(allowsExpensiveNetworkAccess: false)
        let large = NetworkPolicy(allowsConstrainedNetworkAccess: false)
        let wired = NetworkPolicy(interfaces: [.wired])
        for (policy, path, isAllowed) in [
            (.any, cellular, true), (home, cellular, false), (home, hotspot, true), (cheap, hotspot, false),
            (cheap, saving, true), (large, saving, false), (large, hotspot, true), (wired, hotspot, false),
            (wired, unknown, true), (home, unknown, true),
        ] as [(NetworkPolicy, NetworkPath, Bool)] {
            let (_, manager) = stack(path)
            manager.ownNetwork = policy
            let error = await failure(manager)
            XCTAssertEqual(error?.kind, isAllowed ? nil : .notReachable, "\(policy) over \(path)")
        }
    }

    func testTheRequestSaysWhichNetworksItMayTake() async throws {
        let (_, manager) = stack(NetworkPath(isConnected: true))
        var home = NetworkPolicy.any
        home.allowsCellularAccess = false
        for (policy, expected) in [
            (.any, [true, true, true]), (home, [false, true, true]),
            (NetworkPolicy(allowsExpensiveNetworkAccess: false), [true, false, true]),
            (NetworkPolicy(allowsConstrainedNetworkAccess: false), [true, true, false]),
        ] as [(NetworkPolicy, [Bool])] {
            manager.ownNetwork = policy
            let request = try await manager.request(with: [:])
            XCTAssertEqual(
                [
                    request.allowsCellularAccess, request.allowsExpensiveNetworkAccess,
                    request.allowsConstrainedNetworkAccess,
                ], expected)
        }
    }

    func testTheErrorNamesThePolicyThatForbidsTheNetwork() async {
        let (_, manager) = stack(cellular)
        manager.ownNetwork = NetworkPolicy(interfaces: [.wifi])
        let error = await failure(manager)
        XCTAssertTrue(
            error?.localizedDescription.contains(
                "TestManager<Product>.networkPolicy does not allow the current network; nothing was sent.")
                == true,
            "\(String(describing: error))")
    }

    func testACallWaitsForANetworkItMayUse() async throws {
        let (stack, manager) = stack(cellular)
        manager.ownNetwork = NetworkPolicy(wait: .infinity, interfaces: [.wifi, .wired])
        let task = Task { try await manager.load() }
        await until { stack.reachability.hasListeners }
        stack.reachability.isConnected = false
        stack.reachability.path = NetworkPath(isConnected: true, interfaces: [.wifi, .other])
        let product = try await task.value
        XCTAssertEqual(product.id, 7)
        let sent = try XCTUnwrap(wire.requests.first)
        XCTAssertEqual(wire.requests.count, 1)
        XCTAssertFalse(sent.allowsCellularAccess)
        XCTAssertTrue(sent.allowsExpensiveNetworkAccess)
    }

    func testThisMachineNeedsNoNetwork() async throws {
        let (stack, manager) = stack(cellular)
        stack.change { $0.baseURL = URL(string: "http://127.0.0.1:1")! }
        manager.ownNetwork = NetworkPolicy(interfaces: [.wifi])
        _ = try await manager.load()
    }

    /// Otherwise a large download over Wi-Fi only would be one over a cellular network.
    func testCallsOfDifferentPoliciesShareNothing() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.sharing = true }
        let (first, second) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        second.ownNetwork.allowsCellularAccess = false
        async let one = first.load()
        async let other = second.load()
        await gate.arrival(2)
        gate.open()
        let ids = [try await one.id, try await other.id]
        XCTAssertEqual(ids, [7, 7])
        XCTAssertEqual(Set(transport.requests.map(\.allowsCellularAccess)), [true, false])
    }

    // MARK: Paths

    func testPathsTellWhatConnectivityDoesNot() async {
        let network = ManualReachability()
        var (changes, paths) = (network.changes.makeAsyncIterator(), network.paths.makeAsyncIterator())
        network.path = cellular
        network.path = cellular
        network.isConnected = false
        var seen: [NetworkPath?] = []
        for _ in 0..<3 { seen.append(await paths.next()) }
        var gone = cellular
        gone.isConnected = false
        XCTAssertEqual(seen, [NetworkPath(isConnected: true), cellular, gone])
        var heard: [Bool?] = []
        for _ in 0..<2 { heard.append(await changes.next()) }
        XCTAssertEqual(heard, [true, false])
    }

    /// One that an app has written before there were paths.
    func testAReachabilityWithoutPaths() async {
        struct Plain: Reachability {
            let manual: ManualReachability
            func isReachable(host: String) -> Bool { manual.isReachable(host: host) }
            var changes: AsyncStream<Bool> { manual.changes }
        }
        let plain = Plain(manual: ManualReachability(isConnected: false))
        XCTAssertFalse(plain.isReachable(host: "api.example.com", over: .any))
        let wait = Task { await plain.waitUntilReachable(host: "api.example.com") }
        await until { plain.manual.hasListeners }
        plain.manual.isConnected = true
        await wait.value
    }
}
