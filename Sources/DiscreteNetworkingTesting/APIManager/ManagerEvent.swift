import DiscreteNetworking

/// One thing that a ``ManagerRecorder`` saw, in the order of a call.
public enum ManagerEvent: Sendable, Hashable {
    /// The interceptor was asked whether the call may go out.
    case shouldCall
    /// The validator was asked about the params.
    case validateParams
    /// The interceptor heard that the call is on its way.
    case didCall
    /// The validator was asked about the response.
    case validateResponse
    /// The interceptor heard of a response.
    case didReceive
    /// The interceptor was asked whether success may be told.
    case beforeSuccess
    /// The delegate was told of a success.
    case succeeded
    /// The interceptor heard that it was.
    case afterSuccess
    /// The interceptor was asked whether the failure may be told.
    case beforeFailure
    /// The delegate was told of a failure.
    case failed
    /// The interceptor heard that it was.
    case afterFailure
    /// Something happened to the session.
    case session(SessionEvent)
}

extension ManagerEvent: CustomStringConvertible {
    /// As it is written in a test: `.shouldCall`.
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
}
