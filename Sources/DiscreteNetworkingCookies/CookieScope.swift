import DiscreteNetworkingCore
import Foundation

/// The requests to which a cookie belongs.
enum CookieScope {
    /// RFC 6265bis section 5.1.4
    static func defaultPath(of url: URL) -> String {
        let path = path(of: url)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// Returns the path of a URL, at least `/`.
    static func path(of url: URL) -> String {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        return path.utf8.first == UInt8(ascii: "/") ? path : "/"
    }

    /// RFC 6265bis section 5.1.4
    static func isPath(_ path: String, below parent: String) -> Bool {
        let (path, parent) = (path.utf8, parent.utf8)
        guard path.starts(with: parent) else { return false }
        return path.count == parent.count || parent.last == UInt8(ascii: "/")
            || path.dropFirst(parent.count).first == UInt8(ascii: "/")
    }

    /// RFC 6265bis section 5.1.3. An address is below no domain.
    static func isHost(_ host: String, below domain: String) -> Bool {
        host == domain || host.hasSuffix("." + domain) && !isAddress(host)
    }

    /// The host and the domains above it.
    static func domains(of host: String) -> [String] {
        guard !isAddress(host) else { return [host] }
        return [host]
            + host.indices.filter { host[$0] == "." }.map { String(host[host.index(after: $0)...]) }
    }

    /// Whether a host is an IP address: its last label is a number, also a hexadecimal one.
    static func isAddress(_ host: String) -> Bool {
        guard !host.utf8.contains(UInt8(ascii: ":")) else { return true }
        guard let label = host.utf8.split(separator: UInt8(ascii: ".")).last else { return false }
        return label.allSatisfy { (0x30...0x39).contains($0) } || label.starts(with: "0x".utf8)
    }

    /// Whether cookies with `Secure` are set and sent: this machine is as secure as another one by TLS.
    static func isSecure(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "https"
            || url.host.map { HostName.isLoopback(HostName.normal($0)) } == true
    }
}
