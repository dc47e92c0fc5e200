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
            XCTAssertTrue(sockets.isAwaited(connection, isInUse: false))
            sockets.watch(connection, remove)
            XCTAssertEqual(reported(), [connection])
            sockets.watch(connection, input)
            XCTAssertTrue(sockets.isAwaited(connection, isInUse: false))
        }

        func testAnIdleConnectionIsReportedOnce() {
            let connection = ready()
            opened = [connection]
            sockets.open(connection)
            sockets.watch(connection, input)
            sockets.watch(connection, remove)
            XCTAssertFalse(sockets.isAwaited(connection, isInUse: false))
            XCTAssertEqual(reported(), [], "or the loop would not sleep any more")
            sockets.watch(connection, input)
            XCTAssertEqual(reported(), [connection])
        }

        /// A connection between two exchanges, and the server's end of it.
        private func idle() -> (connection: Int32, server: Int32) {
            var pair: [Int32] = [-1, -1]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
            opened = pair
            sockets.open(pair[0])
            sockets.watch(pair[0], input | Int32(CPOLL_OUT))
            sockets.watch(pair[0], remove)
            sockets.rest(pair[0])
            return (pair[0], pair[1])
        }

        private func isOpen(_ descriptor: Int32) -> Bool {
            send(descriptor, "x", 1, Int32(MSG_NOSIGNAL)) == 1
        }

        func testAnIdleConnectionThatCanBeWrittenToStaysOpen() {
            let (connection, _) = idle()
            XCTAssertEqual(reported(), [connection])
            XCTAssertFalse(sockets.isAwaited(connection, isInUse: false))
            XCTAssertTrue(isOpen(connection))
            XCTAssertEqual(reported(), [], "or the loop would not sleep any more")
        }

        func testAnIdleConnectionOnWhichDataArrivesIsShutDown() {
            let (connection, server) = idle()
            XCTAssertTrue(isOpen(server))
            XCTAssertEqual(reported(), [connection])
            XCTAssertFalse(sockets.isAwaited(connection, isInUse: false))
            XCTAssertFalse(isOpen(connection))
        }

        /// An exchange that was paused before libcurl waited for its response.
        func testAConnectionThatMayBeInUseStaysOpen() {
            let (connection, server) = idle()
            XCTAssertTrue(isOpen(server))
            XCTAssertFalse(sockets.isAwaited(connection, isInUse: true))
            XCTAssertTrue(isOpen(connection))
            XCTAssertEqual(reported(), [])
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
