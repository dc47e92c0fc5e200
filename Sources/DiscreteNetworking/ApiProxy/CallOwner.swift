/// The manager of a call, as seen by the proxy.
@MainActor
protocol CallOwner: AnyObject, Sendable {
    /// Whether progress is observed.
    var wantsProgress: Bool { get }
    /// Reports progress to the observers.
    func tell(_ progress: TransferProgress)
    /// Returns why a decoded response is invalid; `nil` if it is valid.
    func rejectionReason(for response: APIResponse) -> String?
    /// Performs step 15: hooks before, delegate and completions, hooks after.
    func conclude(_ pending: PendingCall, _ outcome: CallOutcome, _ completions: PendingCall.Completions)
}
