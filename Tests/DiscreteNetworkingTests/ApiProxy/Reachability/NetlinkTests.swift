#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// A real kernel whose cables are pulled: in a network of its own, by unshare(1), in a process of its own.
    final class NetlinkTests: XCTestCase {
        private static let mark = "NETLINK_TEST_CHILD"
        private static var isChild: Bool { ProcessInfo.processInfo.environment[mark] != nil }

        func testTheNetworkComesAndGoes() throws {
            guard !Self.isChild else { return }
            let (unshare, _) = (try Tool.path("unshare"), try Tool.path("ip"))
            do {
                try Tool.run(
                    "unshare", ["-n", "ip", "link", "add", "a0", "type", "veth", "peer", "name", "b0"])
            } catch {
                throw XCTSkip("a network namespace with an interface is not permitted here: \(error)")
            }
            let test = String(reflecting: Self.self) + "/testInTheNetworkOfItsOwn"
            do {
                // Foundation's Process wants a loopback.
                let script = "ip link set lo up && exec timeout -s KILL 60 \"$@\""
                let log = try Tool.run(
                    "env",
                    [
                        "\(Self.mark)=1", unshare, "-n", "sh", "-c", script, "sh", CommandLine.arguments[0],
                        test,
                    ])
                XCTAssertTrue(String(decoding: log, as: UTF8.self).contains("Executed 1 test"), "not run")
            } catch let error as Tool.Failed {
                XCTFail("the child failed: \(error.log)")
            }
        }

        /// Only for the test above.
        func testInTheNetworkOfItsOwn() async throws {
            try XCTSkipUnless(Self.isChild, "This is done only in the child process of the test above.")
            let network = SystemReachability.shared
            XCTAssertFalse(network.isReachable(host: "192.0.2.1"), "nothing but the loopback")
            XCTAssertTrue(network.isReachable(host: "127.0.0.1"))
            var changes = network.changes.makeAsyncIterator()
            let first = await changes.next()
            XCTAssertEqual(first, false)

            try Self.ip("link add a0 type veth peer name b0")
            try Self.ip("addr add 192.0.2.7/24 dev a0")
            try Self.ip("link set a0 up")
            XCTAssertFalse(network.isReachable(host: "192.0.2.1"), "no carrier")
            try Self.ip("link set b0 up")
            await Self.assertNext(&changes, true)
            XCTAssertTrue(network.isReachable(host: "192.0.2.1"))

            // The plug is pulled at the other end.
            try Self.ip("link set b0 down")
            await Self.assertNext(&changes, false)
            XCTAssertFalse(network.isReachable(host: "192.0.2.1"))
            try Self.ip("link set b0 up")
            await Self.assertNext(&changes, true)

            try Self.ip("addr del 192.0.2.7/24 dev a0")
            await Self.assertNext(&changes, false)
            try Self.ip("-6 addr add 2001:db8::7/64 dev a0 nodad")
            await Self.assertNext(&changes, true)
            try Self.ip("link del a0")
            await Self.assertNext(&changes, false)
        }

        private static func ip(_ words: String) throws {
            try Tool.run("ip", words.split(separator: " ").map(String.init))
        }

        private static func assertNext(
            _ changes: inout AsyncStream<Bool>.Iterator, _ expected: Bool, line: UInt = #line
        ) async {
            let next = await changes.next()
            XCTAssertEqual(next, expected, line: line)
        }
    }
#endif
