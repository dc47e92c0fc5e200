#if os(Linux)
    import CPoll
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCurl

    /// What stays in epoll between two exchanges, and what does not.
    final class CurlSocketsTests: XCTestCase {
        private let poll = cpoll_new()
        private var opened: [Int32] = []
        private lazy var sockets = CurlSockets(poll: poll)

        override func tearDown() {
            for descriptor in opened { cpoll_close(descriptor) }
            cpoll_close(poll)
        }

        /// A descriptor with something to read.
        private func ready() -> Int32 {
            let descriptor = cpoll_new_signal()
            cpoll_signal(descriptor)
            return descriptor
        }

        /// The descriptors that epoll reports now.
        private func reported() -> [Int32] {
            var events = [cpoll_event](repeating: cpoll_event(), count: 8)
            let count = cpoll_wait(poll, &events, 8, 0)
            return events.prefix(Int(count)).map(\.descriptor)
        }

        private let input = Int32(CPOLL_IN)
        private let remove = Int32(4)

        func testAConnectionStaysBetweenExchanges() {
            let connection = ready()
            opened = [connection]
            sockets.open(connection)
            sockets.watch(connection, input)
            XCTAssertEqual(reported(), [connection])
            XCTAssertTrue(sockets.isAwaited(connection))
            sockets.watch(connection, remove)
            XCTAssertEqual(reported(), [connection])
            sockets.watch(connection, input)
            XCTAssertTrue(sockets.isAwaited(connection))
        }

        func testAnIdleConnectionIsReportedOnce() {
            let connection = ready()
            opened = [connection]
            sockets.open(connection)
            sockets.watch(connection, input)
            sockets.watch(connection, remove)
            XCTAssertFalse(sockets.isAwaited(connection))
            XCTAssertEqual(reported(), [], "or the loop would not sleep any more")
            sockets.watch(connection, input)
            XCTAssertEqual(reported(), [connection])
        }

        func testTheNextSocketOfThatNumberIsWatched() {
            let connection = ready()
            sockets.open(connection)
            sockets.watch(connection, input)
            sockets.watch(connection, remove)
            sockets.close(connection)
            // Such as that of a name lookup, of which nothing is known.
            let next = ready()
            opened = [next]
            XCTAssertEqual(next, connection)
            sockets.watch(next, input)
            XCTAssertEqual(reported(), [next])
            sockets.watch(next, remove)
            XCTAssertEqual(reported(), [], "its end is not known")
        }

        func testAChangeOfEventsReachesEpoll() {
            let connection = cpoll_new_signal()
            opened = [connection]
            sockets.open(connection)
            sockets.watch(connection, input)
            XCTAssertEqual(reported(), [])
            sockets.watch(connection, Int32(CPOLL_OUT))
            XCTAssertEqual(reported(), [connection])
            sockets.watch(connection, remove)
            sockets.watch(connection, input)
            XCTAssertEqual(reported(), [])
        }
    }
#endif
