import Foundation

@testable import DiscreteNetworking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportUnderTest {
    static let urlSession = TransportUnderTest(
        make: { options in
            guard let idleTimeout = options.idleTimeout else { return URLSessionTransport() }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = idleTimeout
            return URLSessionTransport(configuration: configuration)
        },
        shortcomings: urlSessionShortcomings)

    #if canImport(FoundationNetworking)
        private static let urlSessionShortcomings: [Shortcoming] = []
    #else
        private static let urlSessionShortcomings: [Shortcoming] = []
    #endif
}
