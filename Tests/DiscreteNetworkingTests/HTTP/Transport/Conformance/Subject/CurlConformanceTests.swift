#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    // The suite over `CurlTransport`. What only that can do, such as Unix sockets and proxies, is tested in the folder
    // `Transport/Curl`.

    final class CurlBodiesConformanceTests: BodiesConformance {
        override class var subject: TransportUnderTest { .curl }
        override func testShortcomingsAreCases() { checkShortcomings() }
    }

    final class CurlConnectionsConformanceTests: ConnectionsConformance {
        override class var subject: TransportUnderTest { .curl }
        override func testShortcomingsAreCases() { checkShortcomings() }
    }

    final class CurlForeignServersConformanceTests: ForeignServersConformance {
        override class var subject: TransportUnderTest { .curl }
        override func testShortcomingsAreCases() { checkShortcomings() }
    }

    final class CurlMessagesConformanceTests: MessagesConformance {
        override class var subject: TransportUnderTest { .curl }
        override func testShortcomingsAreCases() { checkShortcomings() }
    }

    final class CurlSecurityConformanceTests: SecurityConformance {
        override class var subject: TransportUnderTest { .curl }
        override func testShortcomingsAreCases() { checkShortcomings() }
    }

    extension TransportUnderTest {
        static let curl = TransportUnderTest(
            make: { options in
                var configuration = CurlConfiguration()
                configuration.proxy = .direct
                configuration.tls = options.tls
                configuration.idleTimeout = options.idleTimeout ?? .infinity
                return try CurlTransport(configuration: configuration)
            },
            shortcomings: [])
    }
#endif
