import Foundation

/// The state of a call in the pipeline: the current attempt and its data.
///
/// A value type, so that a step that was abandoned at its deadline, but may still run, modifies only its
/// own copy. All of it is behind one reference, because every step passes it on: a copy is one retain, and the first
/// change of a copy copies the fields.
struct CallContext: Sendable {
    private struct Fields: Sendable {
        var call: APICall
        let service: any Service
        let plugins: [any APIPlugin]
        @Boxed var bodyTransform: (any BodyTransform)?
        @Boxed var session: SessionSnapshot?
        var request: Box<APIRequest>?
        var waitedFor: Set<SessionRequirement> = []
        var networkDeadline: TimeInterval?
        var retries = 0
        var failovers = 0
        @Boxed var route: HostRoute?
        @Boxed var admission: CircuitBreakerRegistry.Admission?
        @Boxed var cachePlace: CachePlace?
        @Boxed var toRevalidate: APIResponse?
    }

    /// `@unchecked Sendable`, because the fields are changed only while there is a single reference.
    private final class Storage: @unchecked Sendable {
        var fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var storage: Storage

    init(_ call: APICall, _ service: any Service, plugins: [any APIPlugin] = []) {
        storage = Storage(Fields(call: call, service: service, plugins: plugins))
    }

    private mutating func change(_ body: (inout Fields) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
        body(&storage.fields)
    }

    /// The call in its current attempt.
    var call: APICall {
        get { storage.fields.call }
        set { change { $0.call = newValue } }
    }
    var service: any Service { storage.fields.service }
    /// The plugins of the proxy when the call started.
    var plugins: [any APIPlugin] { storage.fields.plugins }
    /// The session's state that this attempt is sent with; `nil` if the service has no session.
    var session: SessionSnapshot? {
        get { storage.fields.session }
        set { change { $0.session = newValue } }
    }
    /// The generation of its tokens.
    var generation: Int? { storage.fields.session?.generation }
    /// The request of this attempt; `nil` until it is built.
    var request: Box<APIRequest>? {
        get { storage.fields.request }
        set {
            change { fields in
                fields.request = newValue
                fields.call = fields.call.requested(newValue)
            }
        }
    }
    /// What changes the bodies of this attempt; `nil` for no change.
    var bodyTransform: (any BodyTransform)? {
        get { storage.fields.bodyTransform }
        set { change { $0.bodyTransform = newValue } }
    }
    /// What the call has already waited for; it does not wait for the same requirement twice.
    var waitedFor: Set<SessionRequirement> {
        get { storage.fields.waitedFor }
        set { change { $0.waitedFor = newValue } }
    }
    /// When the call no longer waits for a network, by the clock of the proxy; `nil` before it has waited.
    var networkDeadline: TimeInterval? {
        get { storage.fields.networkDeadline }
        set { change { $0.networkDeadline = newValue } }
    }
    /// The number of repeats by the ``RetryPolicy``.
    var retries: Int {
        get { storage.fields.retries }
        set { change { $0.retries = newValue } }
    }
    /// The number of repeats by the ``FailoverPolicy``.
    var failovers: Int {
        get { storage.fields.failovers }
        set { change { $0.failovers = newValue } }
    }
    /// The hosts that are tried; `nil` if the service has only one, or before one is chosen.
    var route: HostRoute? {
        get { storage.fields.route }
        set { change { $0.route = newValue } }
    }
    /// The admission of this attempt by the endpoint's circuit breaker.
    var admission: CircuitBreakerRegistry.Admission? {
        get { storage.fields.admission }
        set { change { $0.admission = newValue } }
    }
    /// Where the response is stored; `nil` if it is not stored.
    var cachePlace: CachePlace? {
        get { storage.fields.cachePlace }
        set { change { $0.cachePlace = newValue } }
    }
    /// A stored response that the server may validate.
    var toRevalidate: APIResponse? {
        get { storage.fields.toRevalidate }
        set { change { $0.toRevalidate = newValue } }
    }

    /// The rules for its response.
    var rules: CallRules { CallRules(call: call, service: service) }

    /// Whether a response is changed before it is read.
    var changesResponses: Bool { storage.fields.bodyTransform != nil || !storage.fields.plugins.isEmpty }
}
