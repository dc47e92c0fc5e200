import Foundation

/// The default transport of a platform.
enum StandardTransport {
    /// Creates a ``CurlTransport`` on Linux if libcurl is available, otherwise a ``URLSessionTransport``.
    static func make(tls: TLSPolicy = TLSPolicy()) -> any Transport {
        #if os(Linux)
            make(tls: tls) { () throws(TransportError) in
                var configuration = CurlConfiguration()
                configuration.tls = tls
                return try CurlTransport(configuration: configuration)
            }
        #else
            URLSessionTransport(tls: tls)
        #endif
    }

    private static let hasSaidSo = Locked(false)

    /// - Parameter log: Receives the reason for not using the preferred transport, once per process.
    static func make(
        tls: TLSPolicy = TLSPolicy(),
        log: (String) -> Void = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) },
        preferred: () throws(TransportError) -> any Transport
    ) -> any Transport {
        do {
            return try preferred()
        } catch {
            let isFirst = hasSaidSo.withLock { hasSaidSo in
                defer { hasSaidSo = true }
                return !hasSaidSo
            }
            if isFirst { log("DiscreteNetworking: \(error.message) URLSession is used instead.") }
            return URLSessionTransport(tls: tls)
        }
    }
}

/// Creates transports of the kind that ``ApiProxy`` uses by default, on every platform.
///
/// ```swift
/// let transport: (any Transport)? = PlatformTransport.make(tls: TLSPolicy(pinnedPublicKeys: ["sha256//…"]))
/// ```
public enum PlatformTransport {
    /// Creates a ``CurlTransport`` on Linux, if libcurl is available, otherwise a ``URLSessionTransport``.
    /// - Parameter tls: The TLS policy. If the transport cannot enforce it, every exchange fails with the reason.
    public static func make(tls: TLSPolicy = TLSPolicy()) -> any Transport {
        StandardTransport.make(tls: tls)
    }
}
