package import Foundation

extension URL {
    /// Whether both have the same origin (RFC 6454): scheme, host and port.
    package func isSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    /// The port, or the default port of the scheme.
    package var effectivePort: Int { port ?? (scheme?.lowercased() == "http" ? 80 : 443) }

    /// The origin as a key.
    package var origin: String {
        "\(scheme?.lowercased() ?? "")://\(host?.lowercased() ?? ""):\(effectivePort)"
    }
}
