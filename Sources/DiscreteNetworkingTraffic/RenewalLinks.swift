import DiscreteNetworkingCore

/// The recorded calls of each refresh or login, and the calls that waited for it.
///
/// When a call starts to wait, the calls of the renewal have no request IDs yet. So both are looked up when they are
/// shown.
struct RenewalLinks {
    private var parts: [RenewalMark: [RequestID]] = [:]
    private var waiting: [RenewalMark: [RequestID]] = [:]

    init(_ calls: [RecordedCall]) {
        for call in calls {
            if let renewal = call.call.renewal { parts[renewal, default: []].append(call.requestID) }
            for renewal in call.awaited { waiting[renewal, default: []].append(call.requestID) }
        }
    }

    /// The calls that a renewal consists of; none if it needed none, or if they are no longer recorded.
    func calls(of renewal: RenewalMark) -> [RequestID] { parts[renewal] ?? [] }

    func calls(waitingFor renewal: RenewalMark) -> [RequestID] { waiting[renewal] ?? [] }
}

extension RecordedCall {
    /// The renewals that the call waited for, each once.
    var awaited: [RenewalMark] {
        steps.compactMap(\.awaited).reduce(into: []) { marks, mark in
            if !marks.contains(mark) { marks.append(mark) }
        }
    }
}
