import DiscreteNetworking
import Foundation

/// Sends every request to another server: scheme, host and port are those of the base URL, and a path in it
/// comes before the request's own.
///
/// The services know nothing of it: a signature that covers the host covers the one they meant. Whoever names a
/// server with `http` means it: their rule about plain HTTP is for their own hosts.
public struct BaseURLTransport: Transport {
    private let baseURL: URL
    private let transport: any Transport

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
        // Where the caller thinks it is, so that it follows a redirect from there.
        response.url = request.url
        return response
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
