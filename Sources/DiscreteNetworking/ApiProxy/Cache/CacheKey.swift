import Foundation

/// Where a response is kept: three names that hold no personal data.
///
/// Each is the beginning of a SHA-256 digest, 32 hexadecimal digits, so that neither a file's name nor a log of it
/// shows who asked for what.
public struct CacheKey: Sendable {
    /// Of the service's identifier.
    public let service: String
    /// Of the service's identifier and the method name.
    public let endpoint: String
    /// Of everything: two keys are equal where this is.
    public let entry: String

    /// - Parameter parts: all that tells one response of the endpoint from another, such as the environment, the HTTP
    ///   method, the params and the user's identity. Their order counts; two different lists make two keys.
    public init(service: ServiceIdentifier, methodName: String, parts: [String]) {
        self.init(
            service: Self.service(service), endpoint: Self.endpoint(service, methodName: methodName),
            entry: Self.digest([service.rawValue, methodName] + parts))
    }

    init(service: String, endpoint: String, entry: String) {
        self.service = service
        self.endpoint = endpoint
        self.entry = entry
    }

    /// What ``service`` is in all keys of a service.
    public static func service(_ service: ServiceIdentifier) -> String { digest([service.rawValue]) }

    /// What ``endpoint`` is in all keys of an endpoint.
    public static func endpoint(_ service: ServiceIdentifier, methodName: String) -> String {
        digest([service.rawValue, methodName])
    }

    private static func digest(_ parts: [String]) -> String {
        var digester = Digester(.sha256)
        for part in parts {
            // The length keeps one part from running into the next.
            digester.update(Data("\(part.utf8.count) \(part)".utf8))
        }
        return String(digester.finish().hexadecimal.prefix(32))
    }
}

extension CacheKey: Hashable {
    public static func == (left: CacheKey, right: CacheKey) -> Bool { left.entry == right.entry }
    public func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}
