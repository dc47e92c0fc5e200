public import DiscreteNetworkingCore
public import Foundation

/// A transport that sends every request to another server. It replaces scheme, host and port by the parts of a base
/// URL, and prefixes the path with the path of the base URL.
///
/// Services are not aware of it: a signature that covers the host covers the original one. An `http` base
/// URL is allowed explicitly; the services' rules for cleartext HTTP apply to their own hosts.
public struct BaseURLTransport: Transport {
    private let baseURL: URL
    private let transport: any Transport

    /// Creates a transport that sends requests to another server.
    public init(_ baseURL: URL, over transport: any Transport) {
        self.baseURL = baseURL
        self.transport = transport
    }

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        var moved = request
        guard let url = Self.move(request.url, to: baseURL) else {
            throw TransportError(.unsupported, message: "The request's URL does not fit the base URL.")
        }
        moved.url = url
        moved.headers["Host"] = nil
        var response = try await transport.send(moved)
        // The original URL, so that redirects are resolved against it.
        response.url = request.url
        if let location = response.headers["Location"], let target = URL(string: location, relativeTo: url),
            let back = Self.moveBack(target.absoluteURL, from: baseURL, to: request.url)
        {
            response.headers["Location"] = back.absoluteString
        }
        return response
    }

    public func needsNetwork(for url: URL) -> Bool {
        Self.move(url, to: baseURL).map(transport.needsNetwork) ?? false
    }

    /// Returns `true`: every request goes to the other server.
    public func replacesServiceTransport(for url: URL) -> Bool { true }

    /// Returns the URL on the original server; `nil` for other servers.
    static func moveBack(_ url: URL, from base: URL, to service: URL) -> URL? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let front = URLComponents(url: base, resolvingAgainstBaseURL: true),
            let original = URLComponents(url: service, resolvingAgainstBaseURL: true),
            parts.scheme == front.scheme, parts.host == front.host, parts.port == front.port
        else { return nil }
        var path = front.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        guard parts.percentEncodedPath.hasPrefix(path + "/") else { return nil }
        parts.percentEncodedPath.removeFirst(path.count)
        (parts.scheme, parts.host, parts.port) = (original.scheme, original.host, original.port)
        return parts.url
    }

    static func move(_ url: URL, to base: URL) -> URL? {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            var moved = URLComponents(url: base, resolvingAgainstBaseURL: true)
        else { return nil }
        var path = moved.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        moved.percentEncodedPath = path + parts.percentEncodedPath
        moved.percentEncodedQuery = parts.percentEncodedQuery
        moved.percentEncodedFragment = parts.percentEncodedFragment
        return moved.url
    }
}
