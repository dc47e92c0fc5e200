#if canImport(os)
    public import DiscreteNetworkingCore
    import Foundation
    import os

    /// Shows calls and attempts as intervals in Instruments, beside what the app does meanwhile.
    ///
    /// ```swift
    /// ApiProxy.shared.addObserver(CallSignposts())
    /// ```
    ///
    /// Choose the instrument os_signpost, subsystem `DiscreteNetworking`. An interval has the service, the method name with
    /// unfilled placeholders and the request ID, and at its end the kind of the error: never a value of a param.
    public struct CallSignposts: APICallObserver {
        private let log = OSLog(subsystem: "DiscreteNetworking", category: "calls")

        /// Creates an observer.
        public init() {}

        public func observe(_ event: APICallEvent) {
            guard log.signpostsEnabled else { return }
            let id = OSSignpostID(event.call.requestID.rawValue)
            let name = "\(event.call.serviceIdentifier)/\(event.call.endpointName)" as NSString
            switch event.kind {
            case .started: os_signpost(.begin, log: log, name: "call", signpostID: id, "%{public}@", name)
            case .sent:
                os_signpost(
                    .event, log: log, name: "sent", signpostID: id, "%{public}@, attempt %d", name,
                    event.call.attempt)
            case .received(let response):
                os_signpost(
                    .event, log: log, name: "received", signpostID: id, "%{public}@, HTTP %d", name,
                    response.status)
            case .finished(let error):
                os_signpost(
                    .end, log: log, name: "call", signpostID: id, "%{public}@",
                    (error?.kind.label ?? "ok") as NSString)
            default: break
            }
        }
    }
#endif
