#if os(Linux)
    import CCurl
    import Foundation

    /// The proxy of a transport, and the authorities that it has to trust therefore.
    struct CurlWay: Sendable {
        let proxy: CurlConfiguration.Proxy
        /// Whether a proxy is in use.
        let usesProxy: Bool
        /// All trusted authorities, in PEM; `nil` to trust the authorities of the system or of the TLS policy.
        let authorities: Data?

        /// - Throws: ``TransportError`` if a debugging proxy is refused, or cannot be used with the rest of the configuration.
        init(_ configuration: CurlConfiguration) throws(TransportError) {
            guard let debuggingProxy = configuration.debuggingProxy else {
                proxy = configuration.proxy
                usesProxy = proxy.isInUse
                authorities = nil
                return
            }
            proxy = .url(try debuggingProxy.url())
            usesProxy = true
            guard configuration.unixSocketPath == nil, configuration.proxy.isReplaceable else {
                throw TransportError(
                    .unsupported,
                    message:
                        "A DebuggingProxy cannot be used with a Unix socket or with another proxy; remove one of them."
                )
            }
            authorities = try Self.authorities(
                configuration.tls.certificateAuthorities?.path ?? Self.systemAuthorities,
                and: debuggingProxy)
        }

        /// The path of the file with the system's authorities, as libcurl was built; `nil` if there is none.
        static var systemAuthorities: String? {
            ccurl_load(nil)?.pointee.authorities.map { String(cString: $0) }
        }

        private static func authorities(
            _ path: String?, and proxy: DebuggingProxy
        ) throws(TransportError) -> Data {
            let own = try proxy.authority()
            guard let path else { return Data(own.utf8) }
            guard let others = FileManager.default.contents(atPath: path) else {
                throw TransportError(
                    .serverCertificateUntrusted, message: "The file of certificate authorities is unreadable."
                )
            }
            return others + Data("\n".utf8) + Data(own.utf8)
        }
    }

    extension CurlConfiguration.Proxy {
        /// Whether a debugging proxy may take its place.
        fileprivate var isReplaceable: Bool {
            switch self {
            case .environment, .direct: true
            case .url: false
            }
        }
    }
#endif
