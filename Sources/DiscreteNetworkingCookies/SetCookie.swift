import DiscreteNetworkingCore
import Foundation

/// A `Set-Cookie` header (RFC 6265bis section 5.6). `SameSite` and `Partitioned` have no meaning without a page that embeds
/// others, and are ignored.
///
/// Parsed as bytes: a combining character after a semicolon does not hide it.
struct SetCookie {
    private let name: String
    private let value: String
    /// The last `Domain`, without a dot in front; empty for none.
    private var domain = ""
    /// The last `Path`; `nil` for the default.
    private var path: String?
    private var expires: Date?
    /// Seconds; not positive for a cookie to remove.
    private var maxAge: TimeInterval?
    private var isSecure = false
    private var isHTTPOnly = false

    /// - Returns: `nil` for a header with a control character, without a name, or with too long a value.
    init?(_ line: String) {
        guard !line.utf8.contains(where: Cookie.isControl) else { return nil }
        let parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let (name, value) = Self.pair(parts[0])
        guard let value, !name.isEmpty, name.utf8.count + value.utf8.count <= Cookie.byteLimit else {
            return nil
        }
        self.name = name
        self.value = value
        for part in parts.dropFirst() {
            let (attribute, value) = Self.pair(part)
            let text = value ?? ""
            guard text.utf8.count <= Cookie.attributeLimit else { continue }
            switch attribute.lowercased() {
            case "expires": expires = CookieDate.date(text) ?? expires
            case "max-age": maxAge = Self.seconds(text) ?? maxAge
            case "domain":
                domain = (text.utf8.first == UInt8(ascii: ".") ? String(text.dropFirst()) : text).lowercased()
            case "path": path = text.utf8.first == UInt8(ascii: "/") ? text : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }
    }

    private static func pair(_ text: Substring.UTF8View.SubSequence) -> (name: String, value: String?) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(text), nil) }
        return (trimmed(text[..<equals]), trimmed(text[text.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring.UTF8View.SubSequence) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = text.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(start[...end]))
    }

    /// RFC 6265bis section 5.6.2: digits of any number, after a minus sign or not.
    private static func seconds(_ text: String) -> TimeInterval? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return TimeInterval(text)
    }

    /// Returns the cookie, if a server at a URL may set it (RFC 6265bis section 5.7).
    func cookie(from url: URL, now: Date) -> Cookie? {
        guard let host = url.host.map(HostName.normal), !isSecure || CookieScope.isSecure(url),
            let isHostOnly = isHostOnly(at: host)
        else { return nil }
        let expires = maxAge.map { $0 > 0 ? now + min($0, Cookie.lifetimeLimit) : .distantPast } ?? expires
        let cookie = Cookie(
            id: .init(
                name: name, domain: isHostOnly ? host : domain,
                path: path ?? CookieScope.defaultPath(of: url),
                isHostOnly: isHostOnly),
            value: value, isSecure: isSecure, isHTTPOnly: isHTTPOnly, expires: expires, at: now)
        guard !cookie.hasPrefix("__host-") || domain.isEmpty && path != nil else { return nil }
        return cookie
    }

    /// - Returns: `nil` if the host may not set a cookie for the domain.
    private func isHostOnly(at host: String) -> Bool? {
        guard !domain.isEmpty, domain != host || !CookieScope.isAddress(host) else { return true }
        // A dot at the end is another name for the domain, and would be one for a public suffix.
        guard domain.utf8.allSatisfy({ $0 < 0x80 }), domain.utf8.last != UInt8(ascii: ".") else { return nil }
        if PublicSuffix.contains(domain) { return domain == host ? true : nil }
        return CookieScope.isHost(host, below: domain) ? false : nil
    }
}
