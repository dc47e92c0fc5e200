#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    /// Who may start, who waits, and what is remembered: for origins and for look-ups of names.
    final class HostConnectionLimiterTests: XCTestCase {
        private let iteration = CurlLoopIteration()

        private func transfer(
            _ origin: CurlOrigin, host: String = "a.example", body: RequestBody = .none
        ) throws -> CurlTransfer {
            let url = try XCTUnwrap(URL(string: "http://\(host)/"))
            let exchange = try CurlExchange(APIRequest(url: url, method: .post, body: body))
            return try CurlTransfer(
                exchange, origin: origin, idleTimeout: 60, iteration: iteration
            ) { _ in }
        }

        // MARK: Origins

        func testThoseThatWaitAreLetGoOfWhenTheyLeave() throws {
            let origin = CurlOrigin(connections: 1)
            let first = try transfer(origin)
            XCTAssertTrue(origin.enter(first))
            let released = Locked(0)
            for _ in 0..<100 {
                let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1000, alignment: 1)
                let body = Data(
                    bytesNoCopy: bytes, count: 1000,
                    deallocator: .custom { bytes, _ in
                        bytes.deallocate()
                        released.withLock { $0 += 1 }
                    })
                let waiting = try transfer(origin, body: .data(body))
                XCTAssertFalse(origin.enter(waiting))
                XCTAssertEqual(origin.leave(waiting, isMultiplexed: nil).count, 0)
            }
            XCTAssertEqual(released.current, 100)
            XCTAssertFalse(origin.isIdle)
            XCTAssertEqual(origin.leave(first, isMultiplexed: nil).count, 0)
            XCTAssertTrue(origin.isIdle)
        }

        func testTheLineIsKept() throws {
            let origin = CurlOrigin(connections: 2)
            let all = try (0..<6).map { _ in try transfer(origin) }
            XCTAssertEqual(all.map { origin.enter($0) }, [true, true, false, false, false, false])
            XCTAssertEqual(origin.leave(all[3], isMultiplexed: nil).count, 0)
            XCTAssertTrue(origin.leave(all[0], isMultiplexed: nil).first === all[2])
            XCTAssertTrue(origin.leave(all[1], isMultiplexed: nil).first === all[4])
            XCTAssertTrue(origin.leave(all[2], isMultiplexed: nil).first === all[5])
        }

        func testTheLimitIsThatOfTheVersionSpokenLast() throws {
            let origin = CurlOrigin(connections: 1)
            let first = try transfer(origin)
            XCTAssertTrue(origin.enter(first))
            XCTAssertEqual(origin.leave(first, isMultiplexed: true).count, 0)
            let many = try (0..<101).map { _ in try transfer(origin) }
            XCTAssertEqual(many.filter { origin.enter($0) }.count, 100)
            // One without an answer tells nothing.
            XCTAssertEqual(origin.leave(many[0], isMultiplexed: nil).count, 1)
            for transfer in many.dropFirst() {
                XCTAssertEqual(origin.leave(transfer, isMultiplexed: false).count, 0)
            }
            let after = try (0..<2).map { _ in try transfer(origin) }
            XCTAssertEqual(after.map { origin.enter($0) }, [true, false])
        }

        func testIdleOriginsAreForgotten() throws {
            var origins = HostConnectionLimiter(connections: 1, capacity: 10)
            let busy = origins["https://busy.example"]
            let transfer = try transfer(busy)
            XCTAssertTrue(busy.enter(transfer))
            for index in 0..<1000 {
                let origin = origins["https://\(index).example"]
                let transfer = try self.transfer(origin)
                XCTAssertTrue(origin.enter(transfer))
                XCTAssertEqual(origin.leave(transfer, isMultiplexed: true).count, 0)
                XCTAssertLessThanOrEqual(origins.count, 21)
            }
            XCTAssertTrue(origins["https://busy.example"] === busy)
        }

        // MARK: Dead connections

        func testAConnectionIsDeadWhereNobodyGetsAnAnswer() throws {
            let origin = CurlOrigin(connections: 2)
            let answered = try transfer(origin)
            let late = try transfer(origin)
            let other = try transfer(origin)
            for transfer in [answered, late] { XCTAssertTrue(origin.enter(transfer)) }
            origin.connect(late, port: 1)
            origin.connect(other, port: 1)
            answered.connection = nil
            other.connection?.noteAnswer(at: 20)
            XCTAssertFalse(origin.giveUp(late, since: 10), "others are served")
            XCTAssertFalse(origin.hasDeadConnection)
            XCTAssertTrue(origin.giveUp(late, since: 30))
            XCTAssertTrue(origin.hasDeadConnection)
            other.connection?.noteAnswer(at: 40)
            XCTAssertFalse(origin.hasDeadConnection, "it was only slow")
            XCTAssertTrue(origin.giveUp(late, since: 50))
            _ = origin.leave(late, isMultiplexed: nil)
            XCTAssertTrue(origin.hasDeadConnection, "one is left on it")
            _ = origin.leave(other, isMultiplexed: nil)
            XCTAssertFalse(origin.hasDeadConnection)
        }

        // MARK: Look-ups

        func testALimitedNumberOfNamesIsLookedUpAtATime() throws {
            var lookups = CurlLookups()
            let all = try (0..<600).map {
                try transfer(CurlOrigin(connections: 1), host: "h\($0).example")
            }
            var running = all.filter { lookups.enter($0, at: 1) }
            XCTAssertEqual(running.count, CurlLookups.limit)
            var done = 0
            while let transfer = running.popLast() {
                done += 1
                // Found, failed and cancelled alike.
                running += done.isMultiple(of: 2) ? lookups.found(transfer, at: 1) : lookups.leave(transfer)
                XCTAssertLessThanOrEqual(running.count, CurlLookups.limit)
                for next in running { XCTAssertTrue(lookups.enter(next, at: 1)) }
            }
            XCTAssertEqual(done, 600)
        }

        func testOneLookUpServesAllToAHost() throws {
            var lookups = CurlLookups()
            let origin = CurlOrigin(connections: 10)
            let all = try (0..<5).map { _ in try transfer(origin) }
            XCTAssertEqual(all.map { lookups.enter($0, at: 1) }, [true, false, false, false, false])
            XCTAssertEqual(lookups.leave(all[2]).count, 0)
            // The first is cancelled: the next goes on in its place.
            XCTAssertTrue(lookups.leave(all[0]).first === all[1])
            XCTAssertTrue(lookups.enter(all[1], at: 1))
            let rest = lookups.found(all[1], at: 1)
            XCTAssertEqual(
                rest.map { ObjectIdentifier($0) }, [all[3], all[4]].map { ObjectIdentifier($0) })
            let later = try transfer(origin)
            XCTAssertTrue(lookups.enter(later, at: 2), "libcurl remembers the address")
            XCTAssertEqual(later.lookup, .none)
            XCTAssertTrue(lookups.enter(later, at: 60_000_000_000))
            XCTAssertEqual(later.lookup, .running, "and has forgotten it")
        }

        func testAnAddressNeedsNoLookUp() throws {
            var lookups = CurlLookups()
            for index in 0..<CurlLookups.limit {
                let transfer = try transfer(CurlOrigin(connections: 1), host: "h\(index).example")
                XCTAssertTrue(lookups.enter(transfer, at: 1))
            }
            for (host, isAddress) in [("127.0.0.1", true), ("[::1]", true), ("1.example", false)] {
                let transfer = try transfer(CurlOrigin(connections: 1), host: host)
                XCTAssertEqual(lookups.enter(transfer, at: 1), isAddress, host)
            }
        }

        func testOneThatLeavesWhileItWaitsIsLetGoOf() throws {
            var lookups = CurlLookups()
            for index in 0..<CurlLookups.limit {
                XCTAssertTrue(
                    lookups.enter(try transfer(CurlOrigin(connections: 1), host: "h\(index).example"), at: 1))
            }
            weak var gone: CurlTransfer?
            do {
                let waiting = try transfer(CurlOrigin(connections: 1), host: "late.example")
                XCTAssertFalse(lookups.enter(waiting, at: 1))
                XCTAssertFalse(
                    lookups.enter(try transfer(CurlOrigin(connections: 1), host: "late.example"), at: 1))
                XCTAssertEqual(lookups.leave(waiting).count, 0)
                gone = waiting
            }
            XCTAssertNil(gone)
        }
    }
#endif
