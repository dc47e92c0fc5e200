import DiscreteNetworkingCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A cookie in a jar (RFC 6265bis section 5.7).
struct Cookie: Sendable, Hashable {
    /// Identifies the cookie that a new one replaces.
    struct ID: Sendable, Hashable {
        let name, domain, path: String
        let isHostOnly: Bool
    }

    /// The maximum number of bytes of a name and its value (RFC 6265bis section 5.6).
    static let byteLimit = 4096
    /// The maximum number of bytes of an attribute's value (RFC 6265bis section 5.6).
    static let attributeLimit = 1024
    /// The maximum lifetime in seconds: 400 days (RFC 6265bis section 5.5).
    static let lifetimeLimit: TimeInterval = 400 * 86_400

    let id: ID
    let value: String
    let isSecure: Bool
    let isHTTPOnly: Bool
    /// `nil` for a cookie that is not stored.
    let expires: Date?

    /// Creates a cookie. Its lifetime starts now.
    init(id: ID, value: String, isSecure: Bool, isHTTPOnly: Bool, expires: Date?, at now: Date) {
        self.id = id
        self.value = value
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.expires = expires.map { min($0, now + Self.lifetimeLimit) }
    }

    var name: String { id.name }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// The number of bytes of the cookie in a `Cookie` header.
    var headerSize: Int { id.name.utf8.count + 1 + value.utf8.count }

    /// The number of bytes of all its texts.
    var size: Int { headerSize + id.domain.utf8.count + id.path.utf8.count }

    /// Whether a jar may keep the cookie (RFC 6265bis sections 5.6 and 5.7). A cookie without a name, which servers read
    /// as another one, is refused.
    var isValid: Bool {
        !id.name.isEmpty && headerSize <= Self.byteLimit + 1
            && id.name.utf8.allSatisfy { Self.isAllowed($0) && $0 != UInt8(ascii: "=") }
            && value.utf8.allSatisfy(Self.isAllowed)
            && id.path.utf8.first == UInt8(ascii: "/") && id.path.utf8.count <= Self.attributeLimit
            && !id.domain.isEmpty && id.domain.utf8.count <= Self.attributeLimit
            && (id.isHostOnly || !PublicSuffix.contains(id.domain)) && keepsPrefix
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { !isControl(byte) && byte != UInt8(ascii: ";") }

    /// Whether a `Set-Cookie` header with this byte is ignored (RFC 6265bis section 5.6).
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// What the prefix of the name promises to the server (RFC 6265bis section 4.1.3).
    private var keepsPrefix: Bool {
        if hasPrefix("__secure-") { return isSecure }
        return !hasPrefix("__host-") || isSecure && id.isHostOnly && id.path == "/"
    }

    /// Returns whether the name starts with a lowercase prefix, ignoring case.
    func hasPrefix(_ prefix: String) -> Bool {
        id.name.utf8.prefix(prefix.utf8.count).map(ASCII.lowercase).elementsEqual(prefix.utf8)
    }
}

extension Cookie {
    /// Creates a cookie of Foundation's. A domain with a dot in front is for all hosts below it.
    init(_ cookie: HTTPCookie, at now: Date) {
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, expires: cookie.expiresDate, at: now)
    }

    /// - Parameter domain: With a dot in front for all hosts below it.
    init(
        name: String, value: String, domain: String, path: String, isSecure: Bool, isHTTPOnly: Bool,
        expires: Date?, at now: Date
    ) {
        let host = domain.lowercased()
        let isHostOnly = !host.hasPrefix(".")
        self.init(
            id: ID(
                name: name, domain: isHostOnly ? host : String(host.dropFirst()), path: path,
                isHostOnly: isHostOnly),
            value: value, isSecure: isSecure, isHTTPOnly: isHTTPOnly, expires: expires, at: now)
    }

    /// The domain as Foundation writes it.
    var dottedDomain: String { id.isHostOnly ? id.domain : "." + id.domain }

    var httpCookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: id.name, .value: value, .domain: dottedDomain, .path: id.path,
        ]
        if let expires { properties[.expires] = expires }
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[HTTPCookiePropertyKey(rawValue: "HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}
