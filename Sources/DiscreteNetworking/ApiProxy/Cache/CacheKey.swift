import Foundation

/// The cache key of a response (RFC 9111 section 2): three names without personal data.
///
/// Each name is a prefix of a SHA-256 digest, 32 hexadecimal digits, so that file names and logs do not
/// reveal requests.
public struct CacheKey: Sendable {
    /// The digest of all parts; it determines equality.
    public let entry: String
    private let place: Place

    /// The two other names, computed lazily: a memory cache does not need them.
    private enum Place: Sendable {
        case endpoint(ServiceIdentifier, methodName: String)
        case digests(service: String, endpoint: String)
    }

    /// The digest of the service's identifier.
    public var service: String {
        switch place {
        case .endpoint(let service, _): Self.service(service)
        case .digests(let service, _): service
        }
    }

    /// The digest of the service's identifier and the method name.
    public var endpoint: String {
        switch place {
        case .endpoint(let service, let methodName): Self.endpoint(service, methodName: methodName)
        case .digests(_, let endpoint): endpoint
        }
    }

    /// Creates a key.
    /// - Parameters:
    ///   - service: The service's identifier.
    ///   - methodName: The method name.
    ///   - parts: Everything that distinguishes responses of the endpoint, such as the environment, the
    ///     HTTP method, the params and the user. Their order matters; different lists never make equal
    ///     keys.
    public init(service: ServiceIdentifier, methodName: String, parts: [String]) {
        var texts = Parts()
        for text in [service.rawValue, methodName] + parts { texts.add(text.utf8) }
        entry = texts.digest
        place = .endpoint(service, methodName: methodName)
    }

    /// Creates the key of a request.
    /// - Parameter cacheIdentity: The result of ``Service/cacheIdentity(for:)``.
    init(_ identity: RequestIdentity, _ cacheIdentity: String, of attempt: Attempt) {
        let call = attempt.call
        var parts = Parts()
        parts.add(call.serviceIdentifier.rawValue.utf8)
        parts.add(call.methodName.utf8)
        parts.add(cacheIdentity.utf8)
        // Environments may share hosts, but not users.
        if let pins = attempt.pins { parts.add(pins.name.utf8) }
        parts.add(identity.bytes)
        entry = parts.digest
        place = .endpoint(call.serviceIdentifier, methodName: call.methodName)
    }

    init(service: String, endpoint: String, entry: String) {
        self.entry = entry
        place = .digests(service: service, endpoint: endpoint)
    }

    /// Returns the ``service`` name of all keys of a service.
    public static func service(_ service: ServiceIdentifier) -> String {
        var parts = Parts()
        parts.add(service.rawValue.utf8)
        return parts.digest
    }

    /// Returns the ``endpoint`` name of all keys of an endpoint.
    public static func endpoint(_ service: ServiceIdentifier, methodName: String) -> String {
        var parts = Parts()
        parts.add(service.rawValue.utf8)
        parts.add(methodName.utf8)
        return parts.digest
    }

    /// Parts with length prefixes, which keep them unambiguous.
    private struct Parts {
        private var bytes: [UInt8] = []

        init() { bytes.reserveCapacity(512) }

        mutating func add(_ part: some Collection<UInt8>) {
            bytes.append(contentsOf: String(part.count).utf8)
            bytes.append(UInt8(ascii: " "))
            bytes.append(contentsOf: part)
        }

        /// The prefix of their SHA-256 digest.
        var digest: String { MessageDigest(.sha256, of: bytes).hexadecimal(prefix: 16) }
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
