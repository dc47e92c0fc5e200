import Dispatch
import Foundation

/// Reports the events of a call to the observers registered at its start.
struct CallEvents: Sendable {
    private let observers: [any APICallObserver]
    private let start: UInt64
    /// The call, of whose hooks observers are.
    private var running: (any RunningCall)?

    init(_ observers: [any APICallObserver]) {
        self.observers = observers
        start = observers.isEmpty ? 0 : DispatchTime.now().uptimeNanoseconds
    }

    /// Returns the events of a call.
    func of(_ call: any RunningCall) -> CallEvents {
        guard !isSilent else { return self }
        var events = self
        events.running = call
        return events
    }

    /// Whether there are no observers.
    var isSilent: Bool { observers.isEmpty }

    /// Creates the event only if there are observers.
    func emit(_ kind: @autoclosure () -> APICallEvent.Kind, of call: @autoclosure () -> APICall) {
        if !isSilent { tell(kind, nil, [], call) }
    }

    /// Reports that a call waits for a refresh, a login or a CSRF token.
    func emitWait(for renewal: RenewalMark, _ wait: CallWait, of call: APICall) {
        guard !isSilent else { return }
        tell({ .waiting(for: wait) }, renewal, [], { call })
    }

    /// Reports the end of a call.
    func emitEnd(
        _ error: APIError?, misses: [String], hasStarted: Bool, of call: @autoclosure () -> APICall
    ) {
        if !isSilent { tell({ .finished(error) }, nil, misses, endsUnstarted: !hasStarted, call) }
    }

    /// Not inlined, so that the async frames of the callers do not reserve space for every event.
    @inline(never)
    private func tell(
        _ kind: () -> APICallEvent.Kind, _ awaited: RenewalMark?, _ misses: [String],
        endsUnstarted: Bool = false, _ call: () -> APICall
    ) {
        let elapsed = TimeInterval(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let event = APICallEvent(
            call: call(), date: Date(), elapsed: elapsed, kind: kind(), awaited: awaited, misses: misses,
            endsUnstarted: endsUnstarted)
        APICall.$running.withValue(running) {
            MemoryStorage.leaving { for observer in observers { observer.observe(event) } }
        }
    }
}
