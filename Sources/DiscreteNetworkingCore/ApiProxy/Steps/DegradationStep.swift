import Foundation

/// Ends calls of an endpoint that the app has degraded; see ``ApiProxy/degrade(_:methodName:until:)``. In the list only if any
/// endpoint is.
struct DegradationStep: CallStep {
    static let place = StepPlace.degradation
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let proxy = pending.proxy
        if let seconds = proxy.degradations.seconds(of: attempt.endpoint, at: proxy.clock.uptime) {
            throw .failed(proxy.error(.degraded(until: proxy.clock.now + seconds), of: attempt.call))
        }
        return try await rest(&attempt)
    }
}

/// Until when endpoints are degraded.
final class Degradations: ProxyState {
    /// The end of each degradation, in uptime.
    private let marks = Locked<[EndpointPlace: TimeInterval]>([:])

    /// Whether any endpoint may be degraded.
    var isEmpty: Bool { marks.withLock(\.isEmpty) }

    /// For how long an endpoint is degraded, in seconds; `nil` if it is not.
    func seconds(of endpoint: EndpointPlace, at uptime: TimeInterval) -> TimeInterval? {
        let names = endpoint.methodName.map { [$0, nil] } ?? [nil]
        let environments = endpoint.environment.map { [$0, nil] } ?? [nil]
        return marks.withLock { marks in
            marks = marks.filter { $0.value > uptime }
            return environments.flatMap { environment in
                names.compactMap {
                    marks[.init(service: endpoint.service, environment: environment, methodName: $0)]
                }
            }.max().map { $0 - uptime }
        }
    }

    /// Degrades an endpoint until a date, replacing an earlier degradation; a date in the past ends it.
    /// - Parameters:
    ///   - place: The endpoint, or all endpoints of the service or of its environment.
    ///   - now: The current ``APIClock/now``. The duration is measured once, so later clock changes have no effect.
    func degrade(_ place: EndpointPlace, until: Date, now: Date, at uptime: TimeInterval) {
        let seconds = until.timeIntervalSince(now)
        marks.withLock { $0[place] = seconds > 0 ? uptime + seconds : nil }
    }
}

extension ApiProxy {
    var degradations: Degradations { state { Degradations() } }
}
