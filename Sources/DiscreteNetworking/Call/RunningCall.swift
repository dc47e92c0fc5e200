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

extension APICall {
    /// The call that runs its hooks in the current task; `nil` outside of hooks. A task that a hook has started keeps
    /// it.
    @TaskLocal static var running: (any RunningCall)?

    /// The maximum depth of calls that are made in hooks of one another.
    static let nestingLimit = 5

    /// The chain of calls that leads to a new call, outermost first. Each call made the next one in a hook. Empty if
    /// the task was started in the hook of a call that has ended.
    static var callersOfNow: [String] {
        guard let running, !running.hasEnded else { return [] }
        return running.call.callers + ["\(running.call.serviceIdentifier)/\(running.call.methodName)"]
    }
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
