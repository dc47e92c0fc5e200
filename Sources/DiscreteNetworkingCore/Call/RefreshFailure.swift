public import Foundation

/// Why a refresh failed.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum RefreshFailure: Error, Sendable, Hashable {
    /// The refresh threw an error.
    case failed(reason: String)
    /// It exceeded ``RefreshPolicy/timeout`` or the timeout of its own manager.
    case timedOut
    /// Its call was canceled.
    case cancelled
    /// It did not start, because too many refreshes failed within a time window in seconds; see
    /// ``RefreshPolicy/limit``.
    case tooMany(limit: Int, window: TimeInterval)
}

extension RefreshFailure {
    init(_ error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case let error as APIError:
            switch error.kind {
            case .cancelled: self = .cancelled
            case .timedOut, .deadlineExceeded: self = .timedOut
            default:
                self = .failed(
                    reason: "\(error.serviceIdentifier)/\(error.methodName): \(error.explanation)")
            }
        case let error as RefreshFailure: self = error
        case let error as any SecretFreeError: self = .failed(reason: error.reason)
        default:
            // The error's text is omitted: it may contain a secret.
            self = .failed(reason: "it threw a \(type(of: error)).")
        }
    }
}

extension RefreshFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .failed(let reason): reason
        case .timedOut: "it timed out; see RefreshPolicy.timeout."
        case .cancelled: "it was canceled."
        case .tooMany(let limit, let window):
            "\(limit) refreshes within \(window) s yielded no accepted token; see RefreshPolicy.limit."
        }
    }
}
