import Foundation

/// Where a response is kept: three names that hold no personal data.
///
/// Each is the beginning of a SHA-256 digest, 32 hexadecimal digits, so that neither a file's name nor a log of it
/// shows who asked for what.
public struct CacheKey: Sendable {
    /// Of everything: two keys are equal where this is.
    public let entry: String
    private let place: Place

    /// The two other names, worked out where they are needed: a cache in memory does without them.
    private enum Place: Sendable {
        case endpoint(ServiceIdentifier, methodName: String)
        case digests(service: String, endpoint: String)
    }

    /// Of the service's identifier.
    public var service: String {
        switch place {
        case .endpoint(let service, _): Self.service(service)
        case .digests(let service, _): service
        }
    }

    /// Of the service's identifier and the method name.
    public var endpoint: String {
        switch place {
        case .endpoint(let service, let methodName): Self.endpoint(service, methodName: methodName)
        case .digests(_, let endpoint): endpoint
        }
    }

    /// - Parameter parts: all that tells one response of the endpoint from another, such as the environment, the HTTP
    ///   method, the params and the user's identity. Their order counts; two different lists make two keys.
    public init(service: ServiceIdentifier, methodName: String, parts: [String]) {
        entry = Self.digest(([service.rawValue, methodName] + parts).map(\.utf8))
        place = .endpoint(service, methodName: methodName)
    }

    /// The place of the answer to a request.
    init(_ identity: RequestIdentity, of call: APICall, _ service: any Service) {
        let texts = [call.serviceIdentifier.rawValue, call.methodName, service.cacheIdentity(for: call)]
        entry = Self.digest(texts.map { Array($0.utf8) } + [identity.bytes])
        place = .endpoint(call.serviceIdentifier, methodName: call.methodName)
    }

    init(service: String, endpoint: String, entry: String) {
        self.entry = entry
        place = .digests(service: service, endpoint: endpoint)
    }

    /// What ``service`` is in all keys of a service.
    public static func service(_ service: ServiceIdentifier) -> String { digest([service.rawValue.utf8]) }

    /// What ``endpoint`` is in all keys of an endpoint.
    public static func endpoint(_ service: ServiceIdentifier, methodName: String) -> String {
        digest([service.rawValue.utf8, methodName.utf8])
    }

    private static func digest(_ parts: [some Collection<UInt8>]) -> String {
        var bytes: [UInt8] = []
        for part in parts {
            // The length keeps one part from running into the next.
            bytes += "\(part.count) ".utf8
            bytes += part
        }
        var digester = Digester(.sha256)
        digester.update(bytes)
        return String(digester.finish().hexadecimal.prefix(32))
    }
}

extension CacheKey: Hashable {
    public static func == (left: CacheKey, right: CacheKey) -> Bool { left.entry == right.entry }
    public func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}

extension LRUList where Key == CacheKey {
    /// Removes every key in a scope.
    mutating func removeAll(in scope: CacheScope) {
        switch scope {
        case .all: self = LRUList()
        case .key(let key): remove(key)
        case .service(let service):
            let digest = CacheKey.service(service)
            for key in keys.filter({ $0.service == digest }) { remove(key) }
        case .endpoint(let service, let methodName):
            let digest = CacheKey.endpoint(service, methodName: methodName)
            for key in keys.filter({ $0.endpoint == digest }) { remove(key) }
        }
    }
}
