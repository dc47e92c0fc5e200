#if canImport(Darwin) && !os(macOS)
    import Dispatch
    import Foundation

    /// Asks the system for time to end some calls when the app or its extension is about to be suspended.
    ///
    /// ```swift
    /// let activity = ExpiringActivity(reason: "Ending uploads") { call in
    ///     call.requestType == .put || call.methodName == "oauth/token"
    /// }
    /// ApiProxy.shared.addObserver(activity)
    /// ```
    ///
    /// Useful for refreshes of tokens and for small uploads, which a suspension could cut off after the server has acted.
    /// The system grants about thirty seconds, or none; it never delays a call. See
    /// `ProcessInfo.performExpiringActivity(withReason:using:)`, which works in app extensions, too.
    public final class ExpiringActivity: APICallObserver {
        private let reason: String
        private let includes: @Sendable (APICall) -> Bool
        private let running = Locked<[RequestID: DispatchSemaphore]>([:])

        /// - Parameters:
        ///   - reason: What the system logs, for developers.
        ///   - includes: Returns whether to ask for time for a call. Default: for every call.
        public init(reason: String, includes: @escaping @Sendable (APICall) -> Bool = { _ in true }) {
            self.reason = reason
            self.includes = includes
        }

        public func observe(_ event: APICallEvent) {
            switch event.kind {
            case .started where includes(event.call): begin(event.call.requestID)
            case .finished: running.withLock { $0.removeValue(forKey: event.call.requestID) }?.signal()
            default: break
            }
        }

        private func begin(_ id: RequestID) {
            let end = DispatchSemaphore(value: 0)
            running.withLock { $0[id] = end }
            // The activity lasts as long as the closure, on a thread of the system's. Called once more when the time is
            // over, at once if none is granted.
            ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isOver in
                if isOver { end.signal() } else { end.wait() }
            }
        }
    }
#endif
