package import Foundation

extension URL {
    /// Whether both have the same origin (RFC 6454): scheme, host and port.
    package func isSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
