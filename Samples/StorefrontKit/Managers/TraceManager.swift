import DiscreteNetworking

/// What the shop was told of the trace that a request belongs to.
nonisolated struct SeenTrace: Decodable, Sendable {
    let traceparent: String?
}

/// Asks the shop for the trace that it has seen in this request.
final class TraceManager: APIManager<SeenTrace> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "traces/own"
    let requestType = HTTPMethod.get
}
