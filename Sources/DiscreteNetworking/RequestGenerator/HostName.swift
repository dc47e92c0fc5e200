import Foundation

/// What the host of a URL is.
enum HostName {
    /// Lower case, and without the brackets that an IPv6 address has in a URL.
    static func normal(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Whether a ``normal(_:)`` host is this machine: `localhost` (RFC 6761 section 6.3), 127.0.0.0/8 (RFC 1122
    /// section 3.2.1.3) and `::1` (RFC 4291 section 2.5.3). Other ways to write these are not trusted: transports
    /// differ in how they read them.
    static func isLoopback(_ host: String) -> Bool {
        var version4 = in_addr()
        if inet_pton(AF_INET, host, &version4) == 1 {
            return UInt32(bigEndian: version4.s_addr) >> 24 == 127
        }
        var version6 = in6_addr()
        guard inet_pton(AF_INET6, host, &version6) == 1 else { return host == "localhost" }
        return withUnsafeBytes(of: version6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
