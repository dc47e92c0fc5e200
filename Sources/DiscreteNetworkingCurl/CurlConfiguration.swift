import Foundation

/// How ``CurlTransport`` reaches servers. The same on every platform, so that an app can keep it in one place.
///
/// ```swift
/// var configuration = CurlConfiguration()
/// configuration.connectTimeout = 5
/// configuration.tls.minimumVersion = .tls13
/// let transport = try CurlTransport(configuration: configuration)
/// ```
public struct CurlConfiguration: Sendable, Hashable {
    /// Seconds until a connection must stand, TLS included. Default: 30.
    public var connectTimeout: TimeInterval = 30
    /// Seconds without a byte in either direction after which an exchange fails. The time in which the reader
    /// of a stream holds it up does not count. Default: 60. `.infinity` means no limit.
    public var idleTimeout: TimeInterval = 60
    /// Connections to one origin at a time; further exchanges wait. Over HTTP/2 one connection carries a
    /// hundred exchanges. Default: 16.
    public var maximumConnectionsPerHost = 16
    /// Idle connections that are kept for later, in all. Default: 128.
    public var maximumIdleConnections = 128
    /// Which versions of HTTP are spoken.
    public var httpVersion = HTTPVersion.automatic
    /// By which proxy.
    public var proxy = Proxy.environment
    /// Whom to trust, and who the client is.
    public var tls = TLSPolicy()
    /// The path of a Unix domain socket that is connected to instead of the URL's host and port.
    public var unixSocketPath: String?

    public init() {}

    /// Which versions of HTTP are spoken.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 where TLS agrees on it (ALPN, RFC 7301), HTTP/1.1 elsewhere.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 from the first byte, also without TLS (RFC 9113 section 3.3).
        /// libcurl 7.88 cannot use such a connection twice without TLS; with it each exchange has its own.
        case http2PriorKnowledge
    }

    /// By which proxy.
    public enum Proxy: Sendable, Hashable {
        /// As the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the process say, but for
        /// requests to this machine itself, which never go through it.
        case environment
        /// None.
        case direct
        /// An HTTP or SOCKS proxy, and the hosts that are reached without it. Requests to this machine itself go
        /// through it only where it is on this machine, too.
        case url(URL, except: [String] = [])

        /// Whether there is one.
        var isInUse: Bool {
            switch self {
            case .direct: false
            case .url: true
            case .environment: ProxyEnvironment.namesProxy
            }
        }

        /// Whether a request to a host, ``HostName/normal(_:)``, would leave this machine by the proxy, although it is
        /// for this machine: there its token has no business.
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
    /// Versions, proxy and TLS; never a password or a passphrase.
    public var description: String { "HTTP version \(httpVersion), \(proxy), TLS: \(tls)" }
}

extension CurlConfiguration.Proxy: SecretBearing {
    /// Which proxy; never its password.
    public var description: String {
        switch self {
        case .environment: "the proxy of the environment"
        case .direct: "no proxy"
        case .url(let url, let exceptions):
            "the proxy \(Redaction.standard.redacted(url)), except for \(exceptions)"
        }
    }
}
