/// The manager of a call, as far as the proxy knows it.
@MainActor
protocol CallOwner: AnyObject, Sendable {
    /// Whether anybody listens to the progress of its calls.
    var wantsProgress: Bool { get }
    /// Tells those who listen how far a call has come.
    func tell(_ progress: TransferProgress)
    /// Why a decoded response is not right; `nil` where it is.
    func rejectionReason(for response: APIResponse) -> String?
    /// Step 15: hooks before, delegate and completions, hooks after.
    func conclude(_ pending: PendingCall, _ outcome: CallOutcome, _ completions: [PendingCall.Completion])
}
