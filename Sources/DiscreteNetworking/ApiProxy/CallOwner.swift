/// The manager of a call, as seen by the proxy.
@MainActor
protocol CallOwner: AnyObject, Sendable {
    /// Whether progress is observed.
    var wantsProgress: Bool { get }
    /// Whether ``rejectionReason(for:)`` may find a response invalid.
    var validates: Bool { get }
    /// Reports progress to the observers.
    func tell(_ progress: TransferProgress)
    /// Returns why a decoded response is invalid; `nil` if it is valid.
    func rejectionReason(for response: APIResponse) -> String?
    /// Performs step 15: hooks before, delegate and completions, hooks after.
    func conclude(_ pending: PendingCall, _ outcome: CallOutcome, _ completions: [PendingCall.Completion])
}

/// The outcome of a call, before the manager's hooks.
enum CallOutcome: Sendable {
    case succeeded(APIResponse)
    /// A swallowed failure is not reported to the delegate.
    case failed(APIError, isSwallowed: Bool)

    var error: APIError? { if case .failed(let error, _) = self { error } else { nil } }

    var response: APIResponse? {
        switch self {
        case .succeeded(let response): response
        case .failed(let error, _): error.response
        }
    }

    var result: Result<any Sendable, APIError> {
        switch self {
        case .succeeded(let response): .success(response.output ?? NoContent())
        case .failed(let error, _): .failure(error)
        }
    }
}
