import Foundation

/// What the host of a URL is.
package enum HostName {
    /// Lower case, and without the brackets that an IPv6 address has in a URL.
    package static func normal(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Whether a ``normal(_:)`` host is this machine: `localhost` (RFC 6761 section 6.3), 127.0.0.0/8 (RFC 1122
    /// section 3.2.1.3) and `::1` (RFC 4291 section 2.5.3). Other ways to write these are not trusted: transports
    /// differ in how they read them.
    package static func isLoopback(_ host: String) -> Bool {
        guard let address = address(host) else { return host == "localhost" }
        return address.count == 4
            ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// Whether a ``normal(_:)`` host may be in a network of this machine that leads nowhere else: a link-local
    /// address (RFC 3927, RFC 4291 section 2.5.6), a private one (RFC 1918, RFC 4193), a name of multicast DNS
    /// (RFC 6762) or one without a domain.
    package static func isLocal(_ host: String) -> Bool {
        // A link-local address may name its interface (RFC 6874).
        guard let address = address(String(host.prefix { $0 != "%" })) else {
            return host.hasSuffix(".local") || !host.isEmpty && !host.contains(".")
        }
        switch (address.count, address[0], address[1]) {
        case (4, 10, _), (4, 169, 254), (4, 172, 16...31), (4, 192, 168): return true
        case (16, 0xFE, 0x80...0xBF), (16, 0xFC...0xFD, _): return true
        default: return false
        }
    }

    /// The 4 or 16 bytes of an address as text; `nil` for a name.
    private static func address(_ host: String) -> [UInt8]? {
        var version4 = in_addr()
        if inet_pton(AF_INET, host, &version4) == 1 { return withUnsafeBytes(of: version4, Array.init) }
        var version6 = in6_addr()
        return inet_pton(AF_INET6, host, &version6) == 1 ? withUnsafeBytes(of: version6, Array.init) : nil
    }
}

/// Which hosts may be asked by plain HTTP, where everybody on the way can read and change what is sent.
package struct CleartextPolicy: Sendable, Hashable {
    private let hosts: Set<String>

    /// - Parameter hosts: names or addresses, beside those of this machine.
    package init(hosts: Set<String> = []) { self.hosts = Set(hosts.map(HostName.normal)) }

    /// - Throws: ``InvalidRequest`` for a URL with the scheme `http` and a host that was not named.
    package func check(_ url: URL) throws(InvalidRequest) {
        guard url.scheme?.lowercased() == "http", let host = url.host.map(HostName.normal) else { return }
        guard hosts.contains(host) || HostName.isLoopback(host) else {
            throw InvalidRequest(
                "The request would go to \(host.debugDescription) by plain HTTP, which anybody on the way can read; use https, or name the host in the service's plainHTTPHosts."
            )
        }
    }
}
