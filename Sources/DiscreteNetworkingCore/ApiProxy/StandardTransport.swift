import Foundation

/// The default transport of a platform.
enum StandardTransport {
    /// Creates a ``CurlTransport`` on Linux if libcurl is available, otherwise a ``URLSessionTransport``.
    static func make(
        tls: TLSPolicy = TLSPolicy(), resolution: HostResolution? = nil, debuggingProxy: DebuggingProxy? = nil
    ) -> any Transport {
        #if os(Linux)
            var configuration = CurlConfiguration()
            configuration.tls = tls
            configuration.resolution = resolution
            configuration.debuggingProxy = debuggingProxy
            return make(configuration) { () throws(TransportError) in
                try CurlTransport(configuration: configuration)
            }
        #else
            return URLSessionTransport(tls: tls, resolution: resolution, debuggingProxy: debuggingProxy)
        #endif
    }

    private static let hasSaidSo = Locked(false)

    /// - Parameters:
    ///   - configuration: What `URLSession` has to support otherwise; what it does not, it refuses.
    ///   - log: Receives the reason for not using the preferred transport, once per process.
    static func make(
        _ configuration: CurlConfiguration = CurlConfiguration(),
        log: (String) -> Void = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) },
        preferred: () throws(TransportError) -> any Transport
    ) -> any Transport {
        do {
            return try preferred()
        } catch {
            // URLSession refuses a debugging proxy too, in each exchange.
            let isFirst =
                configuration.debuggingProxy == nil
                && hasSaidSo.withLock { hasSaidSo in
                    defer { hasSaidSo = true }
                    return !hasSaidSo
                }
            if isFirst { log("DiscreteNetworking: \(error.message) URLSession is used instead.") }
            return URLSessionTransport(
                tls: configuration.tls, resolution: configuration.resolution,
                debuggingProxy: configuration.debuggingProxy)
        }
    }
}

/// Creates transports of the kind that ``ApiProxy`` uses by default, on every platform.
///
/// ```swift
/// let transport: (any Transport)? = PlatformTransport.make(
///     tls: TLSPolicy(pinnedPublicKeys: ["sha256//…"]))
/// ```
public enum PlatformTransport {
    /// Creates a ``CurlTransport`` on Linux, if libcurl is available, otherwise a ``URLSessionTransport``.
    ///
    /// If the transport cannot do what an argument says, every exchange fails with the reason.
    /// - Parameters:
    ///   - tls: The TLS policy.
    ///   - resolution: The addresses of hosts in place of the system's resolver, such as by HTTPDNS. Default: `nil`.
    ///   - debuggingProxy: The proxy that shows the traffic of debug builds, such as Charles. Default: `nil`.
    public static func make(
        tls: TLSPolicy = TLSPolicy(), resolution: HostResolution? = nil, debuggingProxy: DebuggingProxy? = nil
    ) -> any Transport {
        StandardTransport.make(tls: tls, resolution: resolution, debuggingProxy: debuggingProxy)
    }
}
