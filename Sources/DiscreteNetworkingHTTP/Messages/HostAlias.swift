package import Foundation

/// The host of a backend that a request is sent to, of several that serve the same resources.
package struct HostAlias: Sendable, Hashable {
    /// The base URL of the backend's first host, which identifies its resources.
    private let base: String
    /// The base URL of this host.
    private let host: String

    /// - Throws: ``InvalidRequestError`` if the base URL of another host has a user, query or fragment.
    package init(of base: URL, at host: URL) throws(InvalidRequestError) {
        guard host == base || host.user == nil && host.query == nil && host.fragment == nil else {
            throw InvalidRequestError(
                "A base URL of the service's failover policy has a user, query or fragment; it is a scheme, host, and optionally port and path."
            )
        }
        self.base = Self.beginning(of: base)
        self.host = Self.beginning(of: host)
    }

    /// Returns a URL of the first host at this one; `nil` if it does not begin with the base URL.
    package func url(for url: URL) -> URL? {
        Self.replacing(base, by: host, in: url.absoluteString).flatMap { URL(string: $0) }
    }

    /// Whether a URL is one of this host.
    package func covers(_ url: URL) -> Bool {
        Self.replacing(host, by: host, in: url.absoluteString) != nil
    }

    /// Returns the text of a URL of this host with the first one in its place.
    package func canonical(_ url: String) -> String { Self.replacing(host, by: base, in: url) ?? url }

    private static func beginning(of url: URL) -> String {
        var text = String(url.absoluteString.prefix { $0 != "?" })
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    private static func replacing(_ old: String, by new: String, in url: String) -> String? {
        guard url.hasPrefix(old) else { return nil }
        let rest = url.dropFirst(old.count)
        guard rest.first.map({ "/?#".contains($0) }) ?? true else { return nil }
        return new + rest
    }
}
