public import DiscreteNetworkingCore
public import Foundation

/// A piece of work with a beginning and an end, in the words of OpenTelemetry: a call, or one exchange with a server.
public struct TraceSpan: Sendable, Hashable {
    /// Who does the work.
    public enum Kind: String, Sendable, Hashable {
        /// The app: a whole call, with its waits and all of its attempts.
        case `internal`
        /// A client that waits for a server: one attempt.
        case client
    }

    /// What happened at a moment of a span.
    public struct Event: Sendable, Hashable {
        /// The name: `waiting`, `joined`, `cache`, `repeated`, `failover`, `failed`, `recovered`.
        public let name: String
        /// When it happened.
        public let date: Date
        /// The details.
        public let attributes: [String: JSONValue]
    }

    /// The name: `storefront products/{id}` for a call, `GET products/{id}` for an attempt. It has no values of params, so that
    /// there are few of them.
    public let name: String
    /// Who does the work.
    public let kind: Kind
    /// The trace and the span.
    public let context: TraceContext
    /// The ID of the span around this one; `nil` if there is none.
    public let parentSpanID: String?
    /// When it began.
    public let start: Date
    /// How long it took, in seconds.
    public internal(set) var duration: TimeInterval = 0
    /// Names and values after OpenTelemetry's conventions for HTTP, such as `http.response.status_code`.
    public internal(set) var attributes: [String: JSONValue] = [:]
    /// What happened meanwhile.
    public internal(set) var events: [Event] = []
    /// Whether the work failed: an error, or for a client a status of 400 or more.
    public internal(set) var isFailed = false
    /// Why, for developers and without secrets; `nil` if a status says it.
    public internal(set) var failure: String?
}

/// Receives the spans of a ``Tracer`` and passes them on to a tracing system.
///
/// ```swift
/// struct PrintingExporter: SpanExporter {
///     func export(_ span: TraceSpan) {
///         print(span.context.traceID, span.name, span.duration, span.attributes)
///     }
/// }
/// ```
public protocol SpanExporter: Sendable {
    /// Called once for each span that is sampled, when it has ended, on any thread. Must not block.
    func export(_ span: TraceSpan)
}
