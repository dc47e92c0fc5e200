public import DiscreteNetworkingCore
public import Foundation

/// Counts the calls of a proxy and how long they take, by endpoint, status class and host.
///
/// ```swift
/// let metrics = CallMetrics()
/// ApiProxy.shared.addObserver(metrics)
/// // … every minute:
/// for row in metrics.exchanges {
///     print(
///         row.series.endpoint, row.series.host ?? "", row.series.result,
///         row.durations.count, row.durations.sum)
/// }
/// ```
///
/// All numbers grow from the creation of the object on, as OpenTelemetry's cumulative and Prometheus' counters do.
public final class CallMetrics: APICallObserver {
    /// What is counted together.
    public struct Series: Sendable, Hashable {
        /// The identifier of the service.
        public let service: ServiceIdentifier
        /// The method name, with unfilled placeholders.
        public let endpoint: String
        /// The method.
        public let method: HTTPMethod
        /// The host that was asked; `nil` for whole calls.
        public let host: String?
        /// Of a call `ok`, `cache` or the kind of its error, of an exchange the class of its status, such as `2xx`, or the kind
        /// of its error.
        public let result: String
    }

    /// A series and its numbers.
    public struct Row: Sendable, Hashable {
        /// What is counted.
        public let series: Series
        /// The number of times and how long they took.
        public let durations: Histogram
    }

    /// A call that has not ended.
    private struct Running: Sendable {
        /// The host that is asked, and since when; `nil` while none is.
        var exchange: (host: String?, start: TimeInterval)?
        var isCached = false
    }

    private struct State: Sendable {
        var calls: [Series: Histogram] = [:]
        var exchanges: [Series: Histogram] = [:]
        var running: [RequestID: Running] = [:]
    }

    private let bounds: [TimeInterval]
    private let limit: Int
    private let state = Locked(State())

    /// Creates metrics without numbers.
    /// - Parameters:
    ///   - bounds: The bounds of the histograms, in seconds.
    ///   - limit: The number of series for calls, and for exchanges, from which on all further endpoints and hosts are counted
    ///     as one, `(other)`.
    public init(bounds: [TimeInterval] = Histogram.standardBounds, limit: Int = 2000) {
        self.bounds = bounds.sorted()
        self.limit = limit
    }

    /// Whole calls, from their start to their outcome.
    public var calls: [Row] { state.withLock { Self.rows($0.calls) } }

    /// Exchanges with servers: every attempt that was sent, to its response or failure. Calls that shared one count once.
    public var exchanges: [Row] { state.withLock { Self.rows($0.exchanges) } }

    private static func rows(_ histograms: [Series: Histogram]) -> [Row] {
        histograms.map(Row.init).sorted { left, right in
            let (one, other) = (left.series, right.series)
            return (one.service.rawValue, one.endpoint, one.host ?? "", one.result)
                < (other.service.rawValue, other.endpoint, other.host ?? "", other.result)
        }
    }

    public func observe(_ event: APICallEvent) {
        state.withLock { state in
            let id = event.call.requestID
            switch event.kind {
            case .started: state.running[id] = Running()
            // An observer may have come in the middle of a call.
            case _ where state.running[id] == nil: break
            case .servedFromCache: state.running[id]?.isCached = true
            case .sent(let request): state.running[id]?.exchange = (request.url.host, event.elapsed)
            case .joined: state.running[id]?.exchange = nil
            case .received(let response): endExchange(event, "\(response.status / 100)xx", &state)
            case .repeated(_, let error), .failedOver(_, _, let error), .failed(let error, _):
                endExchange(event, error.kind.statusLabel, &state)
            case .finished(let error):
                if let error { endExchange(event, error.kind.statusLabel, &state) }
                let isCached = state.running.removeValue(forKey: id)?.isCached == true
                let result = error?.kind.statusLabel ?? (isCached ? "cache" : "ok")
                record(series(event, nil, result), event.elapsed, in: &state.calls)
            default: break
            }
        }
    }

    private func endExchange(_ event: APICallEvent, _ result: String, _ state: inout State) {
        guard let (host, start) = state.running[event.call.requestID]?.exchange else { return }
        state.running[event.call.requestID]?.exchange = nil
        record(series(event, host, result), event.elapsed - start, in: &state.exchanges)
    }

    private func series(_ event: APICallEvent, _ host: String?, _ result: String) -> Series {
        let call = event.call
        return Series(
            service: call.serviceIdentifier, endpoint: call.endpointName, method: call.requestType,
            host: host,
            result: result)
    }

    private func record(_ series: Series, _ duration: TimeInterval, in histograms: inout [Series: Histogram])
    {
        var series = series
        if histograms[series] == nil, histograms.count >= limit {
            series = Series(
                service: series.service, endpoint: "(other)", method: series.method,
                host: series.host.map { _ in "(other)" }, result: series.result)
        }
        histograms[series, default: Histogram(bounds: bounds)].record(duration)
    }
}

extension APIError.Kind {
    /// ``label``, with statuses by their class.
    fileprivate var statusLabel: String {
        if case .http(let status) = self { "\(status / 100)xx" } else { label }
    }
}
