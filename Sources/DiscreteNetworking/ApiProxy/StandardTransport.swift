import Foundation

/// The transport of a platform, where an app names none.
enum StandardTransport {
    /// ``CurlTransport`` on Linux, where libcurl is there; else ``URLSessionTransport``.
    static func make() -> any Transport {
        #if os(Linux)
            make { () throws(TransportError) in try CurlTransport() }
        #else
            URLSessionTransport()
        #endif
    }

    private static let hasSaidSo = Locked(false)

    /// - Parameter log: told once in a process why the preferred transport is not used.
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
