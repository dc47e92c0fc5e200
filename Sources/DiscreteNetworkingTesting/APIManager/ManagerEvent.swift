public import DiscreteNetworkingCore

/// An event recorded by a ``ManagerRecorder``.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum ManagerEvent: Sendable, Hashable {
    /// The interceptor's `shouldCall` was called.
    case shouldCall
    /// The validator was called with the params.
    case validateParams
    /// The interceptor's `didCall` was called.
    case didCall
    /// The validator was called with the response.
    case validateResponse
    /// The interceptor's `didReceive` was called.
    case didReceive
    /// The interceptor's `beforeSuccess` was called.
    case beforeSuccess
    /// The delegate was called with a success.
    case succeeded
    /// The interceptor's `afterSuccess` was called.
    case afterSuccess
    /// The interceptor's `beforeFailure` was called.
    case beforeFailure
    /// The delegate was called with a failure.
    case failed
    /// The interceptor's `afterFailure` was called.
    case afterFailure
    /// An event of the session.
    case session(SessionEvent)
}

extension ManagerEvent: CustomStringConvertible {
    /// The event in Swift notation: `.shouldCall`.
    public var description: String {
        switch self {
        case .shouldCall: ".shouldCall"
        case .validateParams: ".validateParams"
        case .didCall: ".didCall"
        case .validateResponse: ".validateResponse"
        case .didReceive: ".didReceive"
        case .beforeSuccess: ".beforeSuccess"
        case .succeeded: ".succeeded"
        case .afterSuccess: ".afterSuccess"
        case .beforeFailure: ".beforeFailure"
        case .failed: ".failed"
        case .afterFailure: ".afterFailure"
        case .session(let event): ".session(.\(event))"
        }
    }

    /// Returns events with their number, such as `2: .succeeded, .failed`; `none` for no events.
    static func list(_ events: [ManagerEvent]) -> String {
        events.isEmpty
            ? "none" : "\(events.count): \(events.map(\.description).joined(separator: ", "))"
    }
}
