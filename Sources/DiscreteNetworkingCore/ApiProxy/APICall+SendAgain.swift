import DiscreteNetworkingHTTP

extension APICall {
    /// Makes another call to the same endpoint, for the user of now.
    /// - Returns: The request ID of the new call; `nil` if the proxy of this one was released.
    package func sendAgain(with params: Params, adding fields: HTTPFields) -> RequestID? {
        guard let proxy = dispatcher as? ApiProxy else { return nil }
        let call = again(with: params, adding: fields)
        // The call owns itself: the proxy keeps it until it has ended.
        Task { @MainActor in PendingCall(call, proxy: proxy, owner: NoManager()).start() }
        return call.requestID
    }
}

/// Replaces the manager of a call that was sent again. No delegate receives the outcome.
@MainActor
private final class NoManager: CallOwner {
    var wantsProgress: Bool { false }
    var validates: Bool { false }
    func tell(_ progress: TransferProgress) {}
    func rejectionReason(for response: APIResponse) -> String? { nil }
    func conclude(_ pending: PendingCall, _ outcome: CallOutcome, _ completions: PendingCall.Completions) {
        completions(outcome.result)
    }
}
