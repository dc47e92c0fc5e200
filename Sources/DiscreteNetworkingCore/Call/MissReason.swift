public import Foundation

/// Why a request was sent although a cached response, or an identical request in flight, might have been used.
///
/// ```swift
/// // [header X-Trace]
/// if case .notInCache(.differs(let parts)) = event.kind { print(parts) }
/// ```
///
/// Observers of a proxy receive the reason for calls that are sent. ``APIError/Kind/notCached(_:)`` has it for calls
/// that are not sent and for ``ManagerCache/output(with:maxAge:)``. Without an ``APICallObserver``, requests
/// are not compared. The reason names parts of requests and never has their values. If a field changes from call to
/// call without a meaning, declare it in ``VaryingFields``.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum MissReason: Sendable, Hashable {
    /// No response of the endpoint to this method and path has been stored since the proxy has an observer. A disk may
    /// have one of an earlier run to a request that differs.
    case nothingStored
    /// The nearest request differs in these parts.
    case differs([RequestPart])
    /// The cached response is too old. Its age in seconds is negative if the clock was set back.
    case expired(age: TimeInterval)
    /// The cached response names fields in its `Vary`, and their values differ (RFC 9111 section 4.1).
    case varies(with: [RequestPart])
    /// The response is stored under another ``ServiceConfiguration/cacheVersion`` or ``CachePolicy/version``.
    case otherVersion
    /// The server does not allow the response to be stored: `Cache-Control: no-store` or `Vary: *`.
    case storingForbidden
    /// The response was stored and is gone: removed, evicted, or too large for the cache.
    case removed
    /// The cached response cannot be decoded.
    case unreadable
    /// The request cannot be compared with others. The text says why.
    case incomparable(String)
    /// The manager stores nothing. The text says why, for instance because it has no ``BaseAPIManager/cachePolicy``.
    case notCacheable(String)
}

extension MissReason: SecretBearing {
    /// The reason in English, without values: `header X-Trace differs`.
    public var description: String {
        switch self {
        case .nothingStored: "no response was cached for this method and path in this run"
        case .differs(let parts): "\(Self.list(parts)) \(parts.count == 1 ? "differs" : "differ")"
        case .expired(let age): "the cached response is \(Int(min(max(age, -2e9), 2e9).rounded())) s old"
        case .varies(let parts): "the cached response varies with \(Self.list(parts))"
        case .otherVersion: "the cached response has another version"
        case .storingForbidden: "the server does not allow the response to be cached"
        case .removed: "the cached response was removed"
        case .unreadable: "the cached response cannot be decoded"
        case .incomparable(let reason), .notCacheable(let reason): reason
        }
    }

    private static func list(_ parts: [RequestPart]) -> String {
        let shown = parts.count > listLimit ? listLimit - 1 : parts.count
        var names = parts.prefix(shown).map(\.description)
        if parts.count > shown { names.append("\(parts.count - shown) more") }
        guard names.count > 1, let last = names.popLast() else { return names.joined() }
        return names.joined(separator: ", ") + " and " + last
    }

    private static let listLimit = 5

    /// Whether the app can do something about it: a log of one line for each call has only these reasons.
    var isAvoidable: Bool {
        switch self {
        case .differs, .varies, .storingForbidden, .unreadable, .incomparable, .notCacheable: true
        case .nothingStored, .expired, .otherVersion, .removed: false
        }
    }
}

/// A part of a request, by its name.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum RequestPart: Sendable, Hashable {
    /// A header field.
    case header(HTTPFields.Name)
    /// A param in the query, in a form or in a JSON object, where nested ones count as the outermost.
    case param(String)
    /// The scheme, host and port.
    case server
    /// A query without names.
    case query
    /// A body that is neither a form nor a JSON object, or a large one.
    case body
    /// The ``HTTPCredential``.
    case credential
    /// The user of the ``ServiceConfiguration/session``.
    case user
    /// The key of the ``RequestSigner``.
    case signingKey
    /// The environment of an ``EnvironmentService``.
    case environment
    /// The result of ``Service/cacheIdentity(for:)``.
    case cacheIdentity
    /// The order of header fields or params.
    case order
    /// What is not sent but must be equal for a request to be shared, such as `redirectPolicy`.
    case setting(String)
}

extension RequestPart: SecretBearing {
    /// The part in English, with its name: `header X-Trace`. A name that is a secret is redacted.
    public var description: String { text }

    private var text: String {
        switch self {
        case .header(let name): "header \(Self.shown(name.rawName))"
        case .param(let name): "param \(Self.shown(name))"
        case .server: "the server"
        case .query: "the query"
        case .body: "the body"
        case .credential: "the credential"
        case .user: "the user"
        case .signingKey: "the signing key"
        case .environment: "the environment"
        case .cacheIdentity: "cacheIdentity(for:)"
        case .order: "the order of headers or params"
        case .setting(let name): name
        }
    }

    private static func shown(_ name: String) -> String {
        let name = Redaction.standard.redacted(text: name)
        return name.utf8.count <= 100 ? name : String(name.unicodeScalars.prefix(100)) + "…"
    }
}
