#if os(Linux)
    import CCurl
    public import Foundation

    /// A transport that uses libcurl's multi interface: the default on Linux.
    ///
    /// ```swift
    /// var configuration = CurlConfiguration()
    /// configuration.tls.certificateAuthorities = URL(
    ///     fileURLWithPath: "/etc/company/ca.pem")
    /// ApiProxy.shared = ApiProxy(
    ///     transport: try CurlTransport(configuration: configuration))
    /// ```
    ///
    /// It uses the `libcurl.so.4` that Foundation loads into every process on Linux, on one thread. Request
    /// bodies are sent from memory, files and streams; response bodies are received in memory or as a
    /// stream with back pressure. Content codings are decoded (gzip, deflate, br and zstd, if their
    /// libraries are available; at most two per body). A truncated body, or a response with more than 512
    /// KB of header and trailer lines, is an error.
    ///
    /// A reused connection that the server has closed is replaced once, unless that would send a request again
    /// that is not idempotent (RFC 9110 section 9.2.2). A request that the server has not processed before it ended an HTTP/2
    /// connection (RFC 9113 section 6.8) is sent on another one, of any method; after 100 times it fails with
    /// `.connectionLost`.
    public final class CurlTransport: TimeKeepingTransport {
        private let loop: CurlLoop
        private let isDirect: Bool
        private let resolution: HostResolution?
        private let debuggingProxy: DebuggingProxy?

        /// Creates a transport.
        /// - Throws: ``TransportError`` of kind `.unsupported` if libcurl 7.68 or later is not available,
        ///   or lacks a feature that the configuration requires.
        public init(configuration: CurlConfiguration = CurlConfiguration()) throws(TransportError) {
            debuggingProxy = configuration.debuggingProxy
            // The proxy resolves all names.
            resolution = debuggingProxy == nil ? configuration.resolution : nil
            loop = try CurlLoop(configuration)
            isDirect = configuration.unixSocketPath == nil && !loop.usesProxy
        }

        deinit { loop.post(.stop) }

        /// `false` with a proxy or a Unix socket: it may be on this machine.
        public func needsNetwork(for url: URL) -> Bool { isDirect }

        /// Returns `false`, also with a proxy or a Unix socket.
        public func replacesServiceTransport(for url: URL) -> Bool { false }

        public func send(_ request: APIRequest) async throws -> TransportResponse {
            guard !Task.isCancelled else { throw TransportError.exchangeCancelled }
            do throws(TransportError) {
                guard let resolution else { return try await exchange(request) }
                return try await exchange(request, resolution)
            } catch {
                throw debuggingProxy?.explained(error) ?? error
            }
        }

        /// Sends a request to the addresses of its host. If no address can be connected to, nothing was sent, and the
        /// request is sent once more: to new addresses, or to the addresses that the system finds.
        private func exchange(
            _ request: APIRequest, _ resolution: HostResolution
        ) async throws(TransportError) -> TransportResponse {
            var (request, wait, isLast) = (request, 0.0, false)
            while true {
                var host = try await ResolvedHost(request, resolution)
                host?.isObserved = isDirect
                request.timeout -= host?.wait ?? 0
                wait += host?.wait ?? 0
                let start = Uptime.seconds
                do throws(TransportError) {
                    var response = try await exchange(request, host)
                    if wait > 0 { response.metrics?.add(wait: wait) }
                    return response
                } catch {
                    let spent = Uptime.seconds - start
                    guard error.kind == .cannotConnect, isDirect, !isLast, spent < request.timeout,
                        host?.addresses.isEmpty == false
                    else { throw error }
                    isLast = true
                    request.timeout -= spent
                    wait += spent
                }
            }
        }

        private func exchange(
            _ request: APIRequest, _ host: ResolvedHost? = nil
        ) async throws(TransportError) -> TransportResponse {
            let exchange = try CurlExchange(request, host)
            loop.post(.start(exchange))
            let answer = try await withTaskCancellationHandler {
                await exchange.outcome.value
            } onCancel: {
                exchange.cancel()
                loop.post(.cancel(exchange))
            }.get()
            return try await answer.response(to: request)
        }
    }
#endif
