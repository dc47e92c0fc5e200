#if os(Linux)
    import CCurl
    import Foundation

    /// The network by way of libcurl's multi interface: the default on Linux.
    ///
    /// ```swift
    /// var configuration = CurlConfiguration()
    /// configuration.tls.certificateAuthorities = URL(fileURLWithPath: "/etc/company/ca.pem")
    /// ApiProxy.shared = ApiProxy(transport: try CurlTransport(configuration: configuration))
    /// ```
    ///
    /// It drives the `libcurl.so.4` that Foundation brings into every process on Linux, from one thread of its
    /// own. Bodies go out from memory, files and streams, and come back in memory or as a stream that holds the
    /// server up while nobody reads. Content codings are undone (gzip, deflate, br and zstd, as far as their
    /// libraries are there; two of one body at most), and a body that was cut off is an error. So is an answer
    /// with more than 512 KB of header and trailer lines.
    ///
    /// A kept connection that the server had closed is replaced, once, unless that would send a request twice
    /// that is not idempotent (RFC 9110 section 9.2.2).
    public final class CurlTransport: Transport {
        private let loop: CurlLoop
        private let isDirect: Bool

        /// - Throws: ``TransportError`` of kind `.unsupported` where there is no libcurl of at least 7.68, or
        ///   it lacks something that the configuration asks for.
        public init(configuration: CurlConfiguration = CurlConfiguration()) throws(TransportError) {
            isDirect = configuration.unixSocketPath == nil && !configuration.proxy.isInUse
            loop = try CurlLoop(configuration)
        }

        deinit { loop.post(.stop) }

        /// Not by way of a proxy or a Unix socket: those may be on this machine.
        public func needsNetwork(for url: URL) -> Bool { isDirect }

        public func send(_ request: APIRequest) async throws -> TransportResponse {
            guard !Task.isCancelled else { throw TransportError.exchangeCancelled }
            let exchange = CurlExchange(request)
            loop.post(.start(exchange))
            let answer = try await withTaskCancellationHandler {
                await exchange.outcome.value
            } onCancel: {
                exchange.outcome.fulfil(.failure(.exchangeCancelled))
                loop.post(.cancel(exchange))
            }.get()
            return try await answer.decoded(for: request)
        }
    }
#endif
