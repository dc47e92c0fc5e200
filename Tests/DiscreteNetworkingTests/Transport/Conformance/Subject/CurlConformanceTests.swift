#if canImport(CCurl)
    import Foundation
    import XCTest

    @testable import DiscreteNetworking

    /// The suite over `CurlTransport`. What only that can do, such as Unix sockets and proxies, is tested in
    /// the folder `Transport/Curl`.
    final class CurlConformanceTests: Conformance {
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
            shortcomings: [
                Shortcoming(
                    "testAHeaderLineOf110KB",
                    "libcurl says that there is no memory, which becomes an unknown error."),
                Shortcoming(
                    "testManyExchangesAtOnceOverHTTP2",
                    "libcurl 7.88 ends one of a hundred uploads at once with a bad argument (43)."),
            ])
    }
#endif
