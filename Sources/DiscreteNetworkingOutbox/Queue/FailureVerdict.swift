import DiscreteNetworkingCore
import Foundation

/// What a failed call means for its entry.
enum FailureVerdict: Equatable {
    /// It may succeed later.
    /// - Parameters:
    ///   - counts: Whether the server may have received a request.
    ///   - lacksNetwork: Whether there was no network.
    case later(counts: Bool, lacksNetwork: Bool)
    /// It waits for its user.
    case user
    /// It succeeded, but an interceptor withheld the success.
    case done
    /// It would fail again.
    case rejected

    /// - Parameter maybeSent: Whether an earlier request of the entry may have reached the server.
    init(_ error: APIError, maybeSent: Bool) {
        switch error.kind {
        case .notReachable: self = .later(counts: false, lacksNetwork: true)
        case .degraded, .cancelled, .sessionUnavailable: self = .later(counts: false, lacksNetwork: false)
        case .timedOut, .deadlineExceeded, .refreshFailed: self = .later(counts: true, lacksNetwork: false)
        case .transport(let error): self = Self.verdict(error.kind)
        case .http(let status): self = Self.verdict(status, maybeSent: maybeSent)
        case .loginRequired, .loginFailed, .loginCancelled: self = .user
        case .swallowed:
            if let underlying = error.underlying {
                self = FailureVerdict(underlying, maybeSent: maybeSent)
            } else {
                self = .done
            }
        default: self = .rejected
        }
    }

    private static func verdict(_ kind: TransportError.Kind) -> FailureVerdict {
        switch kind {
        case .notConnectedToInternet, .cannotFindHost: .later(counts: false, lacksNetwork: true)
        case .bodyUnavailable, .responseTooLarge, .redirectRefused, .plainHTTPRefused, .unsupported,
            .clientCertificateRejected:
            .rejected
        // A certificate that is not trusted may be that of a hotel's network.
        default: .later(counts: true, lacksNetwork: false)
        }
    }

    private static func verdict(_ status: Int, maybeSent: Bool) -> FailureVerdict {
        switch status {
        case 401, 408, 425, 429, 500...599: .later(counts: true, lacksNetwork: false)
        // The first request with the key is still in progress (draft-ietf-httpapi-idempotency-key-header section 2.6).
        case 409 where maybeSent: .later(counts: true, lacksNetwork: false)
        default: .rejected
        }
    }
}
