import Foundation

/// A member of ``ServiceConfiguration``, for the checks when a service is created.
struct ConfigurationMember {
    let name: String
    /// The type, as a declaration has it.
    let type: String
    /// Whether a value is the one in a configuration.
    let isInForce: (Any, ServiceConfiguration) -> Bool

    private init<Value>(
        _ name: String, _ type: String, _ path: KeyPath<ServiceConfiguration, Value>,
        isSame: @escaping (Value, Value) -> Bool
    ) {
        (self.name, self.type) = (name, type)
        isInForce = { value, configuration in
            (value as? Value).map { isSame($0, configuration[keyPath: path]) } ?? false
        }
    }

    private init<Value: Equatable>(
        _ name: String, _ type: String, _ path: KeyPath<ServiceConfiguration, Value>
    ) {
        self.init(name, type, path, isSame: ==)
    }

    /// All members.
    static var all: [ConfigurationMember] {
        [
            .init("timeout", "TimeInterval", \.timeout),
            .init("deadline", "TimeInterval?", \.deadline),
            .init("transport", "(any Transport)?", \.transport) { $0 as AnyObject? === $1 as AnyObject? },
            .init("failover", "FailoverPolicy?", \.failover),
            .init("plainHTTPHosts", "Set<String>", \.plainHTTPHosts),
            .init("concurrencyLimit", "Int?", \.concurrencyLimit),
            .init("rateLimit", "RateLimit?", \.rateLimit),
            .init("sharesIdenticalRequests", "Bool", \.sharesIdenticalRequests),
            .init("responseSizeLimit", "Int", \.responseSizeLimit),
            .init("session", "TokenSession?", \.session),
            .init("cookies", "CookieJar?", \.cookies, isSame: ===),
            .init("csrf", "CSRFProtection?", \.csrf) { left, right in
                guard let left, let right else { return left == nil && right == nil }
                return left.isSame(as: right)
            },
            .init("defaultHeaders", "HTTPFields", \.defaultHeaders),
            .init("paramPrecedence", "ParamPrecedence", \.paramPrecedence),
            .init("idempotencyKeyLocation", "IdempotencyKeyLocation", \.idempotencyKeyLocation),
            .init("requestCompression", "RequestCompression", \.requestCompression),
            .init("jsonEncoder", "JSONEncoder", \.jsonEncoder, isSame: ===),
            .init("jsonDecoder", "JSONDecoder", \.jsonDecoder, isSame: ===),
            .init("usesFastJSONDecoder", "Bool", \.usesFastJSONDecoder),
            // Closures cannot be compared.
            .init("decoders", "[String: @Sendable () -> any PayloadDecoder]", \.decoders) {
                $0.keys == $1.keys
            },
            .init("cacheVersion", "String", \.cacheVersion),
        ]
    }
}
