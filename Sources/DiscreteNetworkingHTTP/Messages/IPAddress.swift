import Foundation

/// IP addresses in text.
package enum IPAddress {
    /// Returns the 4 or 16 bytes of an address in text (RFC 4291 section 2.2); `nil` for other texts, also for other notations
    /// of IPv4 such as `127.1`, and for an address with a zone.
    package static func bytes(_ text: String) -> [UInt8]? {
        // C reads a string as far as its first NUL: `127.0.0.1%00.example.com` is no address.
        guard !text.utf8.contains(0) else { return nil }
        var version4 = in_addr()
        if text.withCString({ inet_pton(AF_INET, $0, &version4) }) == 1 {
            return withUnsafeBytes(of: version4, Array.init)
        }
        var version6 = in6_addr()
        return text.withCString { inet_pton(AF_INET6, $0, &version6) } == 1
            ? withUnsafeBytes(of: version6, Array.init) : nil
    }

    /// Returns the address of a server in its canonical text (RFC 5952); `nil` if the text is no address, or one that no
    /// server has: an unspecified, multicast or broadcast address.
    package static func server(_ text: String) -> String? {
        guard let bytes = bytes(text), bytes.contains(where: { $0 != 0 }) else { return nil }
        if bytes.count == 4 {
            guard bytes[0] != 0, bytes[0] < 224 else { return nil }
            return bytes.map(String.init).joined(separator: ".")
        }
        guard bytes[0] != 0xFF else { return nil }
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: bytes) }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the text of an address describes an IPv6 address.
    package static func isVersion6(_ address: String) -> Bool { address.utf8.contains(UInt8(ascii: ":")) }
}
