public import Foundation

/// A proxy that shows the traffic of debug builds, such as Charles, Proxyman or mitmproxy, and its certificate authority.
///
/// ```swift
/// #if DEBUG
///     let charles = DebuggingProxy(port: 8888, certificate: charlesAuthority)
///     ApiProxy.shared = ApiProxy(
///         transport: PlatformTransport.make(debuggingProxy: charles))
/// #endif
/// ```
///
/// All requests of the transport go through the proxy, except requests to this machine if the proxy is on another one.
/// Only this transport trusts the proxy's authority, in addition to the authorities of the system, or of
/// ``TLSPolicy/certificateAuthorities``. Nothing has to be installed on the device. The host's name and the dates of a
/// certificate are checked as always.
///
/// Pins stay in force. The proxy has keys of its own, so that calls to a pinned host fail with
/// ``TransportError/Kind/publicKeyNotPinned``: leave the pins out of debug builds.
///
/// A release build refuses it: every exchange fails with ``TransportError/Kind/unsupported``. A release build is one in which
/// this package is compiled without `DEBUG`, which SwiftPM and Xcode set for packages in debug configurations.
public struct DebuggingProxy: Sendable, Hashable {
    /// The name or IP address of the machine on which the proxy runs.
    public var host: String
    /// Its port.
    public var port: Int
    /// A PEM file with the certificate of its authority.
    public var certificate: URL

    /// Creates the description of a proxy.
    /// - Parameters:
    ///   - host: The name or IP address of the machine on which the proxy runs. Default: this machine, also for a simulator.
    ///   - port: Its port. Default: 8888, the port of Charles. Proxyman has 9090, mitmproxy 8080.
    ///   - certificate: A PEM file with the certificate of its authority.
    public init(host: String = "127.0.0.1", port: Int = 8888, certificate: URL) {
        self.host = host
        self.port = port
        self.certificate = certificate
    }
}

extension DebuggingProxy {
    /// Whether this package was compiled for debugging.
    package static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The URL of the proxy.
    /// - Throws: ``TransportError`` of kind `.unsupported` in a release build, or if the host or the port is invalid.
    package func url(isDebugBuild: Bool = Self.isDebugBuild) throws(TransportError) -> URL {
        guard isDebugBuild else {
            throw TransportError(
                .unsupported,
                message:
                    "A DebuggingProxy is refused in release builds, because it reads all traffic; create it inside \"#if DEBUG\"."
            )
        }
        let name = HostName.normal(host)
        guard name == "localhost" || HostName.isName(name) || IPAddress.server(name) != nil,
            (1...65_535).contains(port),
            let url = URL(string: "http://\(IPAddress.isVersion6(name) ? "[\(name)]" : name):\(port)")
        else {
            throw TransportError(
                .unsupported,
                message:
                    "The host or the port of the DebuggingProxy is invalid; use a name or an IP address, and a port from 1 to 65535."
            )
        }
        return url
    }

    /// The text of its PEM file.
    /// - Throws: ``TransportError`` of kind `.serverCertificateUntrusted` if the file cannot be used.
    package func authority() throws(TransportError) -> String {
        guard let text = try? String(contentsOf: certificate, encoding: .utf8),
            let certificates = PEM.certificates(in: text), !certificates.isEmpty
        else {
            throw TransportError(
                .serverCertificateUntrusted,
                message:
                    "The file \(certificate.lastPathComponent) of DebuggingProxy.certificate is unreadable or contains no PEM certificate; convert another format with \"openssl x509 -inform der\"."
            )
        }
        return text
    }

    /// Returns an error that names the proxy if it is the cause.
    package func explained(_ error: TransportError) -> TransportError {
        let message: String
        switch error.kind {
        case .cannotConnect, .cannotFindHost:
            message =
                "Could not connect to the debugging proxy \(host):\(port); start it, or create no DebuggingProxy."
        case .serverCertificateUntrusted:
            message =
                "Neither an authority of the transport nor the debugging proxy has issued the certificate; export the certificate of the proxy again."
        case .publicKeyNotPinned:
            message =
                "The key of the debugging proxy does not match a pin; leave the pins out of debug builds, or exclude the host in the proxy."
        default: return error
        }
        return TransportError(error.kind, message: message, code: error.code)
    }
}
