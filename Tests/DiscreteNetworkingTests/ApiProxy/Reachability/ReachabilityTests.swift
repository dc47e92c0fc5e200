import Foundation
import XCTest

@testable import DiscreteNetworkingCore

final class ReachabilityTests: XCTestCase {
    // MARK: By hand

    func testHostsAreReachableAsTheHandSays() {
        let network = ManualReachability()
        XCTAssertTrue(network.isReachable(host: "api.example.com"))
        network.isConnected = false
        XCTAssertFalse(network.isReachable(host: "api.example.com"))
        XCTAssertFalse(network.isReachable(host: "192.0.2.1"))
        network.isConnected = true
        XCTAssertTrue(network.isReachable(host: "192.0.2.1"))
    }

    func testThisMachineIsAlwaysReachable() {
        let network = ManualReachability(isConnected: false)
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "0:0:0:0:0:0:0:1"] {
            XCTAssertTrue(network.isReachable(host: host), host)
        }
        for host in ["", "localhost.example.com", "127.example.com", "::2", "[::2]", "128.0.0.1"] {
            XCTAssertFalse(network.isReachable(host: host), host)
        }
    }

    func testHostsOfTheLocalNetworkAreAlwaysTried() {
        let network = ManualReachability(isConnected: false)
        let local = [
            "169.254.7.9", "fe80::1", "[fe80::1%25eth0]", "fe80::1%eth0", "printer.local", "Printer.LOCAL",
            "192.168.1.20", "10.0.0.1", "172.16.0.1", "172.31.255.1", "fd12::1", "nas",
        ]
        for host in local { XCTAssertTrue(network.isReachable(host: host), host) }
        for host in ["169.253.1.1", "172.32.0.1", "192.169.0.1", "2001:db8::1", "local.example.com"] {
            XCTAssertFalse(network.isReachable(host: host), host)
        }
    }

    func testChangesBeginWithTheLatestAndThenTellEachChangeOnce() async {
        let network = ManualReachability(isConnected: false)
        let (early, late) = (network.changes, network.changes)
        var heard = early.makeAsyncIterator()
        var first = await heard.next()
        XCTAssertEqual(first, false)
        network.isConnected = false
        network.isConnected = true
        first = await heard.next()
        XCTAssertEqual(first, true)
        network.isConnected = false
        var other = late.makeAsyncIterator()
        var all: [Bool?] = []
        for _ in 0..<3 { all.append(await other.next()) }
        XCTAssertEqual(all, [false, true, false])
    }

    func testChangesEndWithTheirSource() async {
        var network: ManualReachability? = ManualReachability()
        let changes = network?.changes
        network = nil
        var heard: [Bool] = []
        if let changes { for await isConnected in changes { heard.append(isConnected) } }
        XCTAssertEqual(heard, [true])
    }

    func testOneWhoNoLongerListensIsForgotten() async {
        let board = ReachabilityBroadcaster(NetworkPath(isConnected: true))
        let reader = Task { [changes = board.changes()] in for await _ in changes {} }
        XCTAssertTrue(board.hasListeners)
        reader.cancel()
        await reader.value
        XCTAssertFalse(board.hasListeners)
    }

    // MARK: Waiting

    func testWaitingEndsWhenTheNetworkComes() async {
        let network = ManualReachability(isConnected: false)
        await network.waitUntilReachable(host: "localhost")
        let isThere = Locked(false)
        let wait = Task {
            await network.waitUntilReachable(host: "api.example.com")
            XCTAssertTrue(isThere.current)
        }
        await until { network.hasListeners }
        isThere.current = true
        network.isConnected = true
        await wait.value
        await network.waitUntilReachable(host: "api.example.com")
    }

    func testWaitingEndsWhenTheTaskIsCancelled() async {
        let network = ManualReachability(isConnected: false)
        let wait = Task { await network.waitUntilReachable(host: "api.example.com") }
        wait.cancel()
        await wait.value
        XCTAssertFalse(network.hasListeners)
    }
}
