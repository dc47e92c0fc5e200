import Dispatch
import Foundation

/// Tells the observers that were there when a call started what happens to it.
struct CallEvents: Sendable {
    private let observers: [any APICallObserver]
    private let start: UInt64

    init(_ observers: [any APICallObserver]) {
        self.observers = observers
        start = observers.isEmpty ? 0 : DispatchTime.now().uptimeNanoseconds
    }

    /// Whether nobody listens.
    var isSilent: Bool { observers.isEmpty }

    /// The event is only made where somebody listens.
    func emit(_ kind: @autoclosure () -> APICallEvent.Kind, of call: @autoclosure () -> APICall) {
        guard !isSilent else { return }
        let elapsed = TimeInterval(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let event = APICallEvent(call: call(), date: Date(), elapsed: elapsed, kind: kind())
        for observer in observers { observer.observe(event) }
    }
}
