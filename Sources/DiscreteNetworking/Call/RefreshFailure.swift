import Foundation

/// Why a refresh brought no new tokens.
public enum RefreshFailure: Error, Sendable, Hashable {
    /// The refresh threw.
    case failed(reason: String)
    /// It took longer than ``RefreshPolicy/timeout``, or than its own manager allows.
    case timedOut
    /// Its own call was cancelled.
    case cancelled
    /// It did not begin, because so many had begun in vain within so many seconds; see ``RefreshPolicy/limit``.
    case tooMany(limit: Int, window: TimeInterval)
}

extension RefreshFailure {
    init(_ error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case let error as APIError:
            switch error.kind {
            case .cancelled: self = .cancelled
            case .timedOut: self = .timedOut
            default:
                self = .failed(
                    reason: "\(error.serviceIdentifier)/\(error.methodName): \(error.localizedDescription)")
            }
        case let error as RefreshFailure: self = error
        default:
            // Its text is not shown: it may hold a secret.
            self = .failed(reason: "it threw a \(type(of: error)).")
        }
    }
}

extension RefreshFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .failed(let reason): reason
        case .timedOut: "it took too long; see RefreshPolicy.timeout."
        case .cancelled: "it was cancelled."
        case .tooMany(let limit, let window):
            "\(limit) of them within \(window) s brought no token that worked; see RefreshPolicy.limit."
        }
    }
}
