package import Foundation

/// Classification of the host of a URL.
package enum HostName {
    /// Returns the host in lowercase, without the brackets of an IPv6 address.
    package static func normal(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Whether a ``normal(_:)`` host is the loopback host: `localhost` (RFC 6761 section 6.3), 127.0.0.0/8
    /// (RFC 1122 section 3.2.1.3) or `::1` (RFC 4291 section 2.5.3). Other notations are rejected, because
    /// transports interpret them differently.
    package static func isLoopback(_ host: String) -> Bool {
        guard let address = address(host) else { return host == "localhost" }
        return address.count == 4
            ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// Whether a ``normal(_:)`` host may belong to a local network without Internet access: a link-local
    /// address (RFC 3927, RFC 4291 section 2.5.6), a private address (RFC 1918, RFC 4193), a multicast DNS
    /// name (RFC 6762) or a name without a domain.
    package static func isLocal(_ host: String) -> Bool {
        // A link-local address may contain a zone identifier (RFC 6874).
        guard let address = address(String(host.prefix { $0 != "%" })) else {
            return host.hasSuffix(".local") || !host.isEmpty && !host.contains(".")
        }
        switch (address.count, address[0], address[1]) {
        case (4, 10, _), (4, 169, 254), (4, 172, 16...31), (4, 192, 168): return true
        case (16, 0xFE, 0x80...0xBF), (16, 0xFC...0xFD, _): return true
        default: return false
        }
    }

    /// Returns the 4 or 16 bytes of an IP address; `nil` for a name.
    private static func address(_ host: String) -> [UInt8]? {
        // C reads a string as far as its first NUL: `127.0.0.1%00.example.com` is no address.
        guard !host.utf8.contains(0) else { return nil }
        var version4 = in_addr()
        if host.withCString({ inet_pton(AF_INET, $0, &version4) }) == 1 {
            return withUnsafeBytes(of: version4, Array.init)
        }
        var version6 = in6_addr()
        return host.withCString { inet_pton(AF_INET6, $0, &version6) } == 1
            ? withUnsafeBytes(of: version6, Array.init) : nil
    }
}

/// The hosts that allow cleartext HTTP.
package struct CleartextPolicy: Sendable, Hashable {
    private let hosts: Set<String>

    /// - Parameter hosts: The names or addresses, in addition to the loopback host.
    package init(hosts: Set<String> = []) { self.hosts = Set(hosts.map(HostName.normal)) }

    /// Checks the scheme and host of a URL.
    /// - Throws: ``InvalidRequestError`` for an `http` URL whose host does not allow it.
    package func check(_ url: URL) throws(InvalidRequestError) {
        guard url.scheme?.lowercased() == "http", let host = url.host.map(HostName.normal) else { return }
        guard hosts.contains(host) || HostName.isLoopback(host) else {
            throw InvalidRequestError(
                "Cleartext HTTP to \(host.debugDescription) is not allowed; use https, or add the host to the service's plainHTTPHosts."
            )
        }
    }
}
