#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworking

    /// What is read of Linux's network.
    final class LinuxNetworkTests: XCTestCase {
        private static let running = Int(IFF_UP) | Int(IFF_RUNNING)

        // MARK: Interfaces

        func testAnInterfaceMustBeUpAndRunningAndNotTheLoopback() {
            XCTAssertTrue(Self.isUsable([192, 168, 1, 7]))
            XCTAssertFalse(Self.isUsable([192, 168, 1, 7], flags: Int(IFF_UP)))
            XCTAssertFalse(Self.isUsable([192, 168, 1, 7], flags: Int(IFF_RUNNING)))
            XCTAssertFalse(Self.isUsable([192, 168, 1, 7], flags: Self.running | Int(IFF_LOOPBACK)))
        }

        func testLinkLocalAndOtherAddressesWithoutAWayOutDoNotCount() {
            for address: [UInt8] in [[169, 254, 1, 1], [0, 0, 0, 0], [127, 0, 0, 1], [], [1, 2, 3]] {
                XCTAssertFalse(Self.isUsable(address), "\(address)")
            }
            for address: [UInt8] in [[10, 0, 0, 1], [169, 253, 1, 1], [169, 255, 1, 1], [203, 0, 113, 9]] {
                XCTAssertTrue(Self.isUsable(address), "\(address)")
            }
            for text in ["fe80::1", "febf::1", "::1", "::"] {
                XCTAssertFalse(Self.isUsable(Self.version6(text)), text)
            }
            for text in ["2001:db8::1", "fd00::1", "fec0::1"] {
                XCTAssertTrue(Self.isUsable(Self.version6(text)), text)
            }
        }

        func testTheLoopbackOfThisMachineIsListed() throws {
            guard let all = NetworkInterface.all() else { throw XCTSkip("getifaddrs is not permitted here") }
            let loopback = try XCTUnwrap(all.first { $0.address == [127, 0, 0, 1] })
            XCTAssertEqual(loopback.name, "lo")
            XCTAssertNotEqual(loopback.flags & Int(IFF_LOOPBACK), 0)
            XCTAssertFalse(loopback.isUsable)
        }

        func testTheMonitorKnowsWithOrWithoutNetlink() {
            let told = Locked<[Bool]>([])
            let tells = NetlinkMonitor().start { path in told.withLock { $0.append(path.isConnected) } }
            XCTAssertEqual(!told.current.isEmpty, tells, "the first word comes at once, or never")
            XCTAssertEqual(tells, NetworkInterface.all() != nil)
            XCTAssertNotNil(NetlinkMonitor().isConnected())
        }

        private static func isUsable(_ address: [UInt8], flags: Int = running) -> Bool {
            NetworkInterface("eth0", flags: flags, address: address).isUsable
        }

        private static func version6(_ text: String) -> [UInt8] {
            var address = in6_addr()
            return inet_pton(AF_INET6, text, &address) == 1 ? withUnsafeBytes(of: address, Array.init) : []
        }

        // MARK: Routes

        private static let titles =
            "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

        func testARouteOfVersion4LeadsOut() {
            for line in [
                "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0",
                "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0",
                "tun0\t00000080\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0",
            ] {
                XCTAssertTrue(
                    RoutingTable.leadsAnywhere(version4: Self.titles + line + "\n", version6: ""), line)
            }
        }

        func testOtherLinesOfVersion4DoNot() {
            for line in [
                "", "eth0", "eth0\t00000000\t0101A8C0\txyz",
                "eth0\t0000FEA9\t00000000\t0001\t0\t0\t1000\t0000FFFF\t0\t0\t0",
                "lo\t0000007F\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0",
                "eth0\t00000000\t0101A8C0\t0002\t0\t0\t100\t00000000\t0\t0\t0",
                "*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0",
            ] {
                XCTAssertFalse(
                    RoutingTable.leadsAnywhere(version4: Self.titles + line + "\n", version6: ""), line)
            }
        }

        func testARouteOfVersion6LeadsOut() {
            let (none, zero) = (String(repeating: "0", count: 32), "00")
            func line(_ destination: String, _ flags: String, _ interface: String) -> String {
                "\(destination) 40 \(none) \(zero) \(none) 00000400 00000001 00000000 \(flags) \(interface)\n"
            }
            func leads(_ line: String) -> Bool { RoutingTable.leadsAnywhere(version4: "", version6: line) }
            let site = "20010db8000000000000000000000000"
            XCTAssertTrue(leads(line(site, "00000001", "    eth0")))
            XCTAssertTrue(leads(line(none, "00450003", "eth0")))
            XCTAssertFalse(leads(line("fe800000000000000000000000000000", "00000001", "eth0")))
            XCTAssertFalse(leads(line("ff000000000000000000000000000000", "00000001", "eth0")))
            XCTAssertFalse(leads(line(none, "00200200", "lo")))
            XCTAssertFalse(leads(line(none, "00000201", "eth0")))
            XCTAssertFalse(leads(line(site, "80200001", "eth0")), "an address of this machine")
            XCTAssertFalse(leads(line(site, "00000000", "eth0")))
            XCTAssertFalse(leads("nonsense\n\n  \n"))
        }
    }
#endif
