import Foundation

/// The default transport of a platform.
enum StandardTransport {
    /// Creates a ``CurlTransport`` on Linux if libcurl is available, otherwise a ``URLSessionTransport``.
    static func make() -> any Transport {
        #if os(Linux)
            make { () throws(TransportError) in try CurlTransport() }
        #else
            URLSessionTransport()
        #endif
    }

    private static let hasSaidSo = Locked(false)

    /// - Parameter log: Receives the reason for not using the preferred transport, once per process.
    static func make(
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
            return URLSessionTransport()
        }
    }
}

/// Creates the default transport of ``ApiProxy``, for other targets of the package to wrap.
package enum PlatformTransport {
    package static func make() -> any Transport { StandardTransport.make() }
}
