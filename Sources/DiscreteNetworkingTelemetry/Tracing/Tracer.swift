public import DiscreteNetworkingCore
import Foundation

/// Makes a span of each call and of each of its attempts, and tells servers which trace a request belongs to.
///
/// ```swift
/// Tracer(exporter: PrintingExporter()).attach(to: .shared)
/// ```
///
/// A request gets `traceparent` and `tracestate` (W3C Trace Context), if its endpoint is one of the service: a call to another
/// origin gets none, nor does a redirect to one. A call continues ``TraceContext/current``, or begins a trace. Attempts are
/// spans of kind ``TraceSpan/Kind/client`` inside the span of their call.
public final class Tracer: APIPlugin, APICallObserver {
    /// What the server of a call receives.
    public enum Propagation: Sendable, Hashable {
        /// Nothing.
        case none
        /// The trace.
        case trace
        /// The trace and the app's ``TraceContext/baggage``.
        case traceAndBaggage
    }

    private let exporter: any SpanExporter
    private let propagation: @Sendable (APICall) -> Propagation
    private let isSampled: @Sendable (APICall) -> Bool
    private let redaction: Redaction
    private let calls = Locked<[RequestID: TracedCall]>([:])

    /// Creates a tracer.
    /// - Parameters:
    ///   - propagation: What the server of a call receives. Default: the trace. Baggage is for servers of your own.
    ///   - isSampled: Whether a trace that begins with a call is recorded; one that is continued says so itself. Servers
    ///     receive the others as well.
    ///   - redaction: What is secret in URLs and errors.
    public init(
        exporter: any SpanExporter,
        propagation: @escaping @Sendable (APICall) -> Propagation = { _ in .trace },
        isSampled: @escaping @Sendable (APICall) -> Bool = { _ in true }, redaction: Redaction = .standard
    ) {
        self.exporter = exporter
        self.propagation = propagation
        self.isSampled = isSampled
        self.redaction = redaction
    }

    /// Traces the calls of a proxy that start from now on.
    public func attach(to proxy: ApiProxy) {
        proxy.addObserver(self)
        proxy.plugins.append(self)
    }

    public var varyingFields: VaryingFields {
        VaryingFields(headers: ["traceparent", "tracestate", "baggage"])
    }

    public func adapt(_ request: inout APIRequest, for call: APICall) {
        let propagation = propagation(call)
        // A service that writes the field itself knows better.
        guard propagation != .none, request.headers["traceparent"] == nil,
            let context = calls.current[call.requestID]?.context.child()
        else { return }
        request.headers["traceparent"] = context.traceparent
        if let state = context.tracestate { request.headers["tracestate"] = state }
        if propagation == .traceAndBaggage, let baggage = context.baggageField {
            request.headers["baggage"] = baggage
        }
    }

    public func observe(_ event: APICallEvent) {
        let id = event.call.requestID
        if case .started = event.kind {
            let parent = TraceContext.current
            let context = parent?.child() ?? TraceContext(isSampled: isSampled(event.call))
            let traced = TracedCall(event, context, parent: parent?.spanID)
            return calls.withLock { $0[id] = traced }
        }
        let ended = calls.withLock { calls in
            guard var traced = calls[id] else { return [TraceSpan]() }
            let ended = traced.add(event, redaction)
            if case .finished = event.kind { calls[id] = nil } else { calls[id] = traced }
            return ended
        }
        for span in ended where span.context.isSampled { exporter.export(span) }
    }
}
