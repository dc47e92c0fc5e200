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
        // The two that nearly all have, without an array.
        if host == "localhost" || host == "127.0.0.1" { return true }
        guard let address = IPAddress.bytes(host) else { return false }
        return address.count == 4
            ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// Whether a ``normal(_:)`` host may belong to a local network without Internet access: a link-local
    /// address (RFC 3927, RFC 4291 section 2.5.6), a private address (RFC 1918, RFC 4193), a multicast DNS
    /// name (RFC 6762) or a name without a domain.
    package static func isLocal(_ host: String) -> Bool {
        // A link-local address may contain a zone identifier (RFC 6874).
        guard let address = IPAddress.bytes(String(host.prefix { $0 != "%" })) else {
            return host.hasSuffix(".local") || !host.isEmpty && !host.contains(".")
        }
        switch (address.count, address[0], address[1]) {
        case (4, 10, _), (4, 169, 254), (4, 172, 16...31), (4, 192, 168): return true
        case (16, 0xFE, 0x80...0xBF), (16, 0xFC...0xFD, _): return true
        default: return false
        }
    }

    /// Whether a ``normal(_:)`` host is a name of at most 253 letters, digits, hyphens, underscores and dots (RFC 1123
    /// section 2.1), and neither an address nor the loopback host or a name below it (RFC 6761 section 6.3).
    package static func isName(_ host: String) -> Bool {
        guard !host.isEmpty, host.utf8.count <= 253, IPAddress.bytes(host) == nil else { return false }
        guard host != "localhost", !host.hasSuffix(".localhost") else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // A name whose last label is a number is an address in another notation (WHATWG URL).
        guard let last = labels.last, last.utf8.contains(where: { !(0x30...0x39 ~= $0) }),
            !last.hasPrefix("0x")
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x5F
                }
        }
    }
}
