import DiscreteNetworking
import DiscreteNetworkingTelemetry

extension Tour {
    /// Where those who run the shop look.
    func watch() async {
        await transcript.step("Follow a call to the shop, and count", expecting: .success) {
            let (spans, metrics) = (Spans(), CallMetrics())
            let proxy = screen.trace.proxy
            proxy.addObserver(metrics)
            Tracer(exporter: spans).attach(to: proxy)
            let seen = try await screen.trace.load()
            let names = spans.list.current.map { "\($0.kind.rawValue) \($0.name)" }
            let isKnown = spans.list.current.first?.context.traceparent == seen.traceparent
            let counts = metrics.exchanges.map {
                "\($0.series.endpoint) \($0.series.result): \($0.durations.count)"
            }
            return [isKnown ? "The shop knows the trace" : "The shop knows nothing"] + names + counts
        }
    }
}

/// A tracing system that keeps what it gets.
private struct Spans: SpanExporter {
    let list = Locked<[TraceSpan]>([])

    func export(_ span: TraceSpan) { list.withLock { $0.append(span) } }
}
