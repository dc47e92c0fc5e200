/// The sender of calls: a proxy.
protocol CallDispatcher: AnyObject, Sendable {}

/// A call that runs hooks, which are code of the app, in the current task.
protocol RunningCall: AnyObject, Sendable {
    /// The call as it was started.
    var call: APICall { get }
    var dispatcher: any CallDispatcher { get }
    var hasEnded: Bool { get }
    /// Whether the call counts for a limit of concurrent calls now.
    var holdsSlot: Bool { get }
    /// The call that made this one in a hook; `nil` if there is none.
    var caller: (any RunningCall)? { get }
}

extension RunningCall {
    /// Whether a call waits for this one that holds a slot.
    var callerHoldsSlot: Bool {
        var next = caller
        while let caller = next {
            if caller.holdsSlot { return true }
            next = caller.caller
        }
        return false
    }
}
