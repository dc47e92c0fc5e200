public import Foundation

/// The configuration of ``CurlTransport``. Available on every platform, so that apps can share it.
///
/// ```swift
/// var configuration = CurlConfiguration()
/// configuration.connectTimeout = 5
/// configuration.tls.minimumVersion = .tls13
/// let transport = try CurlTransport(configuration: configuration)
/// ```
public struct CurlConfiguration: Sendable, Hashable {
    /// The timeout to connect, including TLS, in seconds. Default: 30.
    public var connectTimeout: TimeInterval = 30
    /// The timeout without data in either direction, in seconds; `.infinity` for no limit. The time in
    /// which a reader holds up a stream does not count. Default: 60.
    public var idleTimeout: TimeInterval = 60
    /// The maximum number of connections per origin; further exchanges wait. An HTTP/2 connection carries
    /// up to 100 exchanges. Streams are not counted, so that other exchanges never wait for one to end; downloads are.
    /// Default: 16.
    public var maximumConnectionsPerHost = 16
    /// The maximum number of idle connections in total. Default: 128.
    public var maximumIdleConnections = 128
    /// The HTTP versions to use. Default: automatic.
    public var httpVersion = HTTPVersion.automatic
    /// The proxy. Default: the proxy of the environment.
    public var proxy = Proxy.environment
    /// TLS trust and client identity.
    public var tls = TLSPolicy()
    /// The addresses of hosts in place of the system's resolver. Default: `nil`. With a proxy, the proxy resolves the host; a
    /// SOCKS5 proxy is given the address. Not supported with ``unixSocketPath``.
    public var resolution: HostResolution?
    /// The proxy that shows the traffic of debug builds, in place of ``proxy``. Default: `nil`. Not supported with another proxy
    /// and with ``unixSocketPath``. Needs libcurl 7.77.
    public var debuggingProxy: DebuggingProxy?
    /// The path of a Unix domain socket to connect to instead of the URL's host and port. Default: `nil`.
    public var unixSocketPath: String?

    /// Creates the default configuration.
    public init() {}

    /// The HTTP versions to use.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 if negotiated with TLS (ALPN, RFC 7301), otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 without negotiation, also over cleartext (RFC 9113 section 3.3). libcurl 7.88 cannot
        /// reuse such cleartext connections; each exchange then uses its own.
        case http2PriorKnowledge
    }

    /// The proxy.
    public enum Proxy: Sendable, Hashable {
        /// The proxy in the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`,
        /// except for loopback requests, which never use it. Whether there is one is read when the transport is
        /// created.
        case environment
        /// No proxy.
        case direct
        /// An HTTP or SOCKS proxy, and the hosts that bypass it. Loopback requests use it only if it is on
        /// this machine too.
        case url(URL, except: [String] = [])

        /// Whether a proxy is configured.
        var isInUse: Bool {
            switch self {
            case .direct: false
            case .url: true
            case .environment: ProxyEnvironment.namesProxy
            }
        }

        /// Whether a loopback request would leave this machine through the proxy, which would expose its
        /// token.
        func leadsAway(from host: String) -> Bool {
            guard HostName.isLoopback(host), isInUse else { return false }
            return switch self {
            case .direct: false
            case .environment: true
            case .url(let url, _): !HostName.isLoopback(HostName.normal(url.host ?? ""))
            }
        }
    }
}

extension CurlConfiguration: SecretBearing {
    /// The versions, proxy and TLS settings; never a password or a passphrase.
    public var description: String {
        "HTTP version \(httpVersion), \(debuggingProxy.map { "debugging proxy \($0.host):\($0.port)" } ?? "\(proxy)"), TLS: \(tls)"
            + (resolution.map { ", resolved by \($0)" } ?? "")
    }
}

extension CurlConfiguration.Proxy: SecretBearing {
    /// The proxy; never its password.
    public var description: String {
        switch self {
        case .environment: "the proxy of the environment"
        case .direct: "no proxy"
        case .url(let url, let exceptions):
            "the proxy \(Redaction.standard.redacted(url)), except for \(exceptions)"
        }
    }
}
