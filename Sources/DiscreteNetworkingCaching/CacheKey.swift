public import DiscreteNetworkingCore
public import DiscreteNetworkingHTTP
import Foundation

/// The cache key of a response (RFC 9111 section 2): everything that distinguishes it from others.
///
/// A cache in memory compares the keys themselves. For file names and logs, a key has three names without personal data. Each is
/// a prefix of a SHA-256 digest, 32 hexadecimal digits.
public struct CacheKey: Sendable, Hashable {
    private let serviceIdentifier: ServiceIdentifier
    private let methodName: String
    /// All parts.
    private let bytes: [UInt8]

    /// The digest of all parts, computed on each access.
    public var entry: String { Self.digest(bytes) }
    /// The digest of the service's identifier.
    public var service: String { Self.service(serviceIdentifier) }
    /// The digest of the service's identifier and the method name.
    public var endpoint: String { Self.endpoint(serviceIdentifier, methodName: methodName) }

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
        bytes = texts.bytes
        (serviceIdentifier, self.methodName) = (service, methodName)
    }

    /// Creates the key of a request.
    /// - Parameter cacheIdentity: The result of ``Service/cacheIdentity(for:)``.
    init(
        _ identity: consuming RequestIdentity, _ cacheIdentity: String, of call: APICall,
        in scope: EnvironmentScope?
    ) {
        var parts = Parts()
        parts.add(call.serviceIdentifier.rawValue.utf8)
        parts.add(call.methodName.utf8)
        parts.add(cacheIdentity.utf8)
        // Environments may share hosts, but not users.
        if let scope { parts.add(scope.name.utf8) }
        // In the memory of the identity, which has room.
        var bytes = identity.takeBytes()
        parts.add(count: bytes.count)
        bytes.insert(contentsOf: parts.bytes, at: 0)
        self.bytes = bytes
        (serviceIdentifier, methodName) = (call.serviceIdentifier, call.methodName)
    }

    /// Returns the ``service`` name of all keys of a service.
    public static func service(_ service: ServiceIdentifier) -> String {
        ResponseFolder.name(of: service)
    }

    /// Returns the ``endpoint`` name of all keys of an endpoint.
    public static func endpoint(_ service: ServiceIdentifier, methodName: String) -> String {
        var parts = Parts()
        parts.add(service.rawValue.utf8)
        parts.add(methodName.utf8)
        return digest(parts.bytes)
    }

    /// Parts with length prefixes, which keep them unambiguous.
    private struct Parts {
        private(set) var bytes: [UInt8] = []

        init() { bytes.reserveCapacity(128) }

        mutating func add(_ part: some Collection<UInt8>) {
            add(count: part.count)
            bytes.append(contentsOf: part)
        }

        /// Adds what is in front of a part.
        mutating func add(count: Int) {
            bytes.append(contentsOf: String(count).utf8)
            bytes.append(UInt8(ascii: " "))
        }
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        MessageDigest(.sha256, of: bytes).hexadecimal(prefix: 16)
    }

    // MARK: Equality

    // The bytes contain the two others.
    public static func == (left: CacheKey, right: CacheKey) -> Bool { left.bytes == right.bytes }

    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Whether the key is in a scope.
    func isIn(_ scope: CacheScope) -> Bool {
        switch scope {
        case .all: true
        case .key(let key): self == key
        case .service(let service): serviceIdentifier == service
        case .endpoint(let service, let name): serviceIdentifier == service && methodName == name
        }
    }

    /// The approximate size in memory, in bytes.
    var memorySize: Int { bytes.count }
}

extension CacheKey: SecretBearing {
    /// The ``entry``: the parts may be secret.
    public var description: String { "CacheKey(\(entry))" }
}
