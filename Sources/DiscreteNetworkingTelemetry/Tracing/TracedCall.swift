import DiscreteNetworkingCore
import Foundation

/// The spans of a call that has not ended.
struct TracedCall {
    let context: TraceContext
    private var span: TraceSpan
    private var attempt: TraceSpan?
    /// When the call and its attempt began, in seconds since the start of the call.
    private let start: TimeInterval
    private var attemptStart: TimeInterval = 0

    init(_ event: APICallEvent, _ context: TraceContext, parent: String?) {
        self.context = context
        let call = event.call
        start = event.elapsed
        span = TraceSpan(
            name: "\(call.serviceIdentifier) \(call.endpointName)", kind: .internal, context: context,
            parentSpanID: parent, start: event.date)
        span.attributes = [
            "discrete_networking.service": .string(call.serviceIdentifier.rawValue),
            "discrete_networking.endpoint": .string(call.endpointName),
            "discrete_networking.request_id": .string("\(call.requestID)"),
        ]
    }

    /// Adds an event of the call.
    /// - Returns: The spans that it ended.
    mutating func add(_ event: APICallEvent, _ redaction: Redaction) -> [TraceSpan] {
        switch event.kind {
        case .sent(let request):
            // A download asks for several parts with one request.
            if let attempt, attempt.context == context(of: request) { return [] }
            let ended = end(event.elapsed)
            begin(request, event, redaction)
            return ended
        case .joined:
            // The exchange is that of another call.
            attempt = nil
            note("joined", event)
        case .received(let response):
            attempt?.add(response)
            return end(event.elapsed)
        case .waiting(let wait): note("waiting", event, ["for": .string("\(wait)")])
        case .servedFromCache(let age): note("cache", event, ["age": JSONValue(floatLiteral: age)])
        case .repeated(_, let error):
            note("repeated", event, ["error.type": .string(error.kind.label)])
            return end(event.elapsed, error)
        case .failedOver(_, let host, let error):
            note("failover", event, ["error.type": .string(error.kind.label), "to": .string("\(host)")])
            return end(event.elapsed, error)
        case .failed(let error, let disposition):
            if case .report = disposition {
            } else {
                note("failed", event, ["error.type": .string(error.kind.label)])
            }
            return end(event.elapsed, error)
        case .recovered(let error):
            note("recovered", event, ["error.type": .string(error.kind.label)])
            return end(event.elapsed, error)
        case .finished(let error):
            let ended = end(event.elapsed, error)
            span.duration = event.elapsed - start
            span.fail(error)
            return ended + [span]
        default: break
        }
        return []
    }

    private mutating func note(_ name: String, _ event: APICallEvent, _ attributes: [String: JSONValue] = [:])
    {
        span.events.append(.init(name: name, date: event.date, attributes: attributes))
    }

    // MARK: Attempts

    /// The context that the server received; `nil` if it received none of this trace.
    private func context(of request: APIRequest) -> TraceContext? {
        let told = request.headers["traceparent"].flatMap {
            TraceContext(traceparent: $0, tracestate: context.tracestate)
        }
        return told?.traceID == context.traceID ? told : nil
    }

    private mutating func begin(_ request: APIRequest, _ event: APICallEvent, _ redaction: Redaction) {
        attemptStart = event.elapsed
        var attempt = TraceSpan(
            name: "\(request.method) \(event.call.endpointName)", kind: .client,
            context: context(of: request) ?? context.child(), parentSpanID: context.spanID, start: event.date)
        attempt.describe(request, event.call, redaction)
        self.attempt = attempt
    }

    private mutating func end(_ elapsed: TimeInterval, _ error: APIError? = nil) -> [TraceSpan] {
        guard var ended = attempt else { return [] }
        attempt = nil
        ended.duration = elapsed - attemptStart
        ended.fail(error)
        return [ended]
    }
}
