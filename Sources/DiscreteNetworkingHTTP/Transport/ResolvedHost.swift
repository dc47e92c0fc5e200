package import Foundation

/// The addresses of the host of one request, and what they have cost.
package struct ResolvedHost: Sendable {
    /// The name in lowercase.
    package let name: String
    /// The port of the URL, or the default port of its scheme.
    package let port: Int
    /// The addresses, the one to try first being the first; empty if the system has to resolve the name.
    package let addresses: [String]
    /// How long the request has waited for them, in seconds.
    package let wait: TimeInterval
    /// Whether the connection goes to one of the addresses, and not to a proxy.
    package var isObserved = true
    private let resolution: HostResolution

    /// Resolves the host of a request.
    /// - Returns: `nil` if the resolver is not asked for the host.
    /// - Throws: ``TransportError`` if the timeout of the request has passed, or its task was canceled.
    package init?(_ request: APIRequest, _ resolution: HostResolution) async throws(TransportError) {
        guard let host = request.url.host else { return nil }
        let start = Uptime.seconds
        guard let addresses = await resolution.addresses(for: host, within: request.timeout) else {
            return nil
        }
        wait = Uptime.seconds - start
        guard !Task.isCancelled else { throw .exchangeCancelled }
        guard wait < request.timeout else {
            throw TransportError(.timedOut, message: "The request timed out while its host was resolved.")
        }
        name = HostName.normal(host)
        port = request.url.effectivePort
        self.addresses = addresses
        self.resolution = resolution
    }

    /// Records the end of an exchange.
    /// - Parameters:
    ///   - tried: The addresses that the transport had. Default: all.
    ///   - reached: The address of the connection; `nil` if there was none.
    ///   - isNew: Whether the connection was made for the exchange.
    package func note(
        _ tried: [String]? = nil, reached: String?, isNew: Bool = true, error: TransportError.Kind?
    ) {
        guard isObserved, !addresses.isEmpty, error != .cancelled else { return }
        let connection = HostConnection(
            addresses: tried ?? addresses, reached: reached, isNew: isNew, error: error)
        resolution.note(connection, of: name)
    }
}

extension URL {
    /// Returns the URL with an IP address in place of its host, and the rest byte for byte; `nil` if the URL has userinfo.
    package func replacingHost(with address: String) -> URL? {
        let text = absoluteString
        guard let start = text.range(of: "://")?.upperBound else { return nil }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let authority = text[start..<end]
        guard !authority.contains("@"), !authority.hasPrefix("[") else { return nil }
        let port = authority.firstIndex(of: ":").map { authority[$0...] } ?? ""
        let host = IPAddress.isVersion6(address) ? "[\(address)]" : address
        return URL(string: text[..<start] + host + port + text[end...])
    }
}

extension TransportMetrics {
    /// Adds the time that a request has waited for the addresses of its host.
    package mutating func add(wait: TimeInterval) {
        for time in [
            \TransportMetrics.connect, \.secureConnection, \.firstByte, \.end, \.requestStart, \.requestEnd,
        ] {
            if let seconds = self[keyPath: time] { self[keyPath: time] = seconds + wait }
        }
        if reusedConnection == false { nameLookup = (nameLookup ?? 0) + wait }
    }
}
