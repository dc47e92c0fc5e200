import Foundation

/// A member of ``ServiceConfiguration``, for the checks when a service is created.
struct ConfigurationMember {
    let name: String
    /// The name of the requirement of ``Service`` that it was.
    let movedName: String
    /// The type, as a declaration has it.
    let type: String
    /// Takes the value of the moved member.
    /// - Returns: `false` if the configuration has another value.
    let take: (any Service, inout ServiceConfiguration) -> Bool
    /// Whether a value is the one in a configuration.
    let isInForce: (Any, ServiceConfiguration) -> Bool

    private init<Value>(
        _ name: String, movedFrom movedName: String? = nil, _ type: String,
        _ path: WritableKeyPath<ServiceConfiguration, Value>, moved: @escaping (any Service) -> Value,
        isSame: @escaping (Value, Value) -> Bool
    ) {
        self.name = name
        self.movedName = movedName ?? name
        self.type = type
        take = { service, configuration in
            let (value, own) = (moved(service), configuration[keyPath: path])
            guard !isSame(value, own) else { return true }
            configuration[keyPath: path] = value
            return isSame(own, ServiceConfiguration()[keyPath: path])
        }
        isInForce = { value, configuration in
            (value as? Value).map { isSame($0, configuration[keyPath: path]) } ?? false
        }
    }

    private init<Value: Equatable>(
        _ name: String, movedFrom movedName: String? = nil, _ type: String,
        _ path: WritableKeyPath<ServiceConfiguration, Value>, moved: @escaping (any Service) -> Value
    ) {
        self.init(name, movedFrom: movedName, type, path, moved: moved, isSame: ==)
    }

    /// A member that no version of ``Service`` had.
    private init<Value>(
        _ name: String, _ type: String, _ path: KeyPath<ServiceConfiguration, Value>,
        isSame: @escaping (Value, Value) -> Bool
    ) {
        (self.name, movedName, self.type) = (name, name, type)
        take = { _, _ in true }
        isInForce = { value, configuration in
            (value as? Value).map { isSame($0, configuration[keyPath: path]) } ?? false
        }
    }

    /// All members.
    static var all: [ConfigurationMember] {
        [
            .init("timeout", "TimeInterval", \.timeout) { $0.timeout },
            .init("deadline", "TimeInterval?", \.deadline, isSame: ==),
            .init("transport", "(any Transport)?", \.transport) {
                $0.transport
            } isSame: {
                $0 as AnyObject? === $1 as AnyObject?
            },
            .init("failover", "FailoverPolicy?", \.failover) { $0.failover },
            .init("plainHTTPHosts", "Set<String>", \.plainHTTPHosts) { $0.plainHTTPHosts },
            .init("concurrencyLimit", "Int?", \.concurrencyLimit) { $0.concurrencyLimit },
            .init("rateLimit", "RateLimit?", \.rateLimit, isSame: ==),
            .init("sharesIdenticalRequests", "Bool", \.sharesIdenticalRequests) {
                $0.sharesIdenticalRequests
            },
            .init("responseSizeLimit", "Int", \.responseSizeLimit) { $0.responseSizeLimit },
            .init("interceptedRetryLimit", movedFrom: "retryLimit", "Int", \.interceptedRetryLimit) {
                $0.retryLimit
            },
            .init("session", "TokenSession?", \.session) { $0.session },
            .init("cookies", "CookieJar?", \.cookies) {
                $0.cookies
            } isSame: {
                $0 === $1
            },
            .init("csrf", "CSRFProtection?", \.csrf) { left, right in
                guard let left, let right else { return left == nil && right == nil }
                return left.isSame(as: right)
            },
            .init("defaultHeaders", "HTTPFields", \.defaultHeaders) { $0.defaultHeaders },
            .init("paramPrecedence", "ParamPrecedence", \.paramPrecedence) { $0.paramPrecedence },
            .init(
                "idempotencyKeyLocation", "IdempotencyKeyLocation", \.idempotencyKeyLocation, isSame: ==),
            .init("requestCompression", "RequestCompression", \.requestCompression, isSame: ==),
            .init("jsonEncoder", "JSONEncoder", \.jsonEncoder) {
                $0.jsonEncoder
            } isSame: {
                $0 === $1
            },
            .init("jsonDecoder", "JSONDecoder", \.jsonDecoder) {
                $0.jsonDecoder
            } isSame: {
                $0 === $1
            },
            .init("usesFastJSONDecoder", "Bool", \.usesFastJSONDecoder, isSame: ==),
            // Closures cannot be compared.
            .init("decoders", "[String: @Sendable () -> any PayloadDecoder]", \.decoders) {
                $0.keys == $1.keys
            },
            .init("cacheVersion", "String", \.cacheVersion) { $0.cacheVersion },
        ]
    }
}
