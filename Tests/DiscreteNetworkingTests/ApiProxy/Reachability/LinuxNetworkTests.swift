#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

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
    }
#endif
