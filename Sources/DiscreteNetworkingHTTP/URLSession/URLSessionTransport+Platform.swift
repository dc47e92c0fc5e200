import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The differences between `URLSession` on Apple platforms and on Linux.
extension URLSessionTransport {
    #if canImport(FoundationNetworking)
        /// Runs operations synchronously on the session's queue: the delegate is fast, and on Linux
        /// scheduling an operation is the main cost of this transport.
        private final class AtOnce: OperationQueue, @unchecked Sendable {
            // `@unchecked` like its superclass; it adds no state.
            override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
        }

        static var delegateQueue: OperationQueue? { AtOnce() }

        /// Whether a request has a session, and thus a connection, of its own. On one that was used before and ends, libcurl sends
        /// a request again, which could act twice (RFC 9110 section 9.2.2).
        static func isSentAlone(_ method: HTTPMethod) -> Bool { !method.isIdempotent }

        /// On Linux, `URLSession` sends loopback requests, including tokens, to the proxy of the
        /// environment.
        static func checkProxy(for url: URL) throws(TransportError) {
            let host = HostName.normal(url.host ?? "")
            guard HostName.isLoopback(host), ProxyEnvironment.namesProxy, !ProxyEnvironment.excepts(host)
            else { return }
            throw TransportError(
                .unsupported,
                message:
                    "URLSession would send this loopback request to the proxy of the environment; set no_proxy=localhost,127.0.0.1,::1, or use CurlTransport."
            )
        }
    #else
        static var delegateQueue: OperationQueue? { nil }
        static func isSentAlone(_ method: HTTPMethod) -> Bool { false }
    #endif

    /// - Throws: ``TransportError`` where a resolution cannot be in force.
    static func check(_ resolution: HostResolution?) throws(TransportError) {
        #if canImport(FoundationNetworking)
            guard resolution != nil else { return }
            throw TransportError(
                .unsupported,
                message: "URLSession on Linux does not support a HostResolution; use CurlTransport.")
        #endif
    }
}
