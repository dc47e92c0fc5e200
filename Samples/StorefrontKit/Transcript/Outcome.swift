import DiscreteNetworking

/// How a call ended, as far as the sample has an expectation of it.
enum Outcome: Sendable, Hashable {
    case success
    case invalidParams
    case business(JSONValue)
    case http(Int)
    case timedOut
    case deadlineExceeded
    case cancelled
    case serviceNotRegistered
    case loginCancelled
    case degraded
    /// There was no response, because of the connection or the server.
    case unreachable
    /// What no step expects.
    case other

    init(_ error: APIError) {
        self =
            switch error.kind {
            case .invalidParams: .invalidParams
            case .business(let code, _): .business(code)
            case .http(let status): .http(status)
            case .timedOut: .timedOut
            case .deadlineExceeded: .deadlineExceeded
            case .cancelled: .cancelled
            case .serviceNotRegistered: .serviceNotRegistered
            case .loginCancelled: .loginCancelled
            case .degraded: .degraded
            case .transport, .notReachable: .unreachable
            default: .other
            }
    }
}

extension Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .success: "success"
        case .invalidParams: "params refused"
        case .business(let code): "business code \(code.canonicalText)"
        case .http(let status): "HTTP status \(status)"
        case .timedOut: "timeout"
        case .deadlineExceeded: "deadline"
        case .cancelled: "cancellation"
        case .serviceNotRegistered: "service not registered"
        case .loginCancelled: "login cancelled"
        case .degraded: "endpoint degraded"
        case .unreachable: "no response"
        case .other: "another failure"
        }
    }
}
