/// What a call holds while it runs.
struct CallResources {
    /// The slot of the current attempt, if the service or the endpoint has a limit.
    fileprivate(set) var slot: CallQueue.Slot?
    /// The place among the calls that wait for a slot, if the call keeps the one that it had.
    fileprivate(set) var turn: Int?
    /// What the call waits for; `nil` for nothing or the server.
    fileprivate(set) var wait: CallWait?
}

extension PendingCall {
    /// What the call waits for; `nil` for nothing or the server.
    var waitedFor: CallWait? { withResources { $0.wait } }

    /// Notes what the call waits for, for the error of its deadline.
    package func noteWait(_ wait: CallWait?) { withResources { $0.wait = wait } }

    var slot: CallQueue.Slot? { withResources { $0.slot } }
    var turn: Int? { withResources { $0.turn } }

    /// Keeps a slot until the attempt or the call ends.
    func hold(_ slot: CallQueue.Slot) {
        let old = withResources { resources -> CallQueue.Slot? in
            defer { (resources.slot, resources.turn) = (slot, slot.turn) }
            return resources.slot
        }
        // Released outside the lock.
        withExtendedLifetime(old) {}
        // The end of the call released the slot that it had then.
        if hasEnded { releaseSlot() }
    }

    /// Lets the next call of the service be sent. The call keeps its place among the waiting calls.
    /// - Parameter id: The slot to release; `nil` for any.
    package func releaseSlot(_ id: Int? = nil) {
        // Released outside the lock.
        _ = withResources { resources -> CallQueue.Slot? in
            guard id == nil || id == resources.slot?.id else { return nil }
            defer { resources.slot = nil }
            return resources.slot
        }
    }

    /// Gives up the place among the calls that wait: a retry begins to wait again.
    func forgetTurn() { withResources { $0.turn = nil } }
}

// MARK: Slots

extension PendingCall {
    /// The state of a type; `nil` if nobody has left one.
    subscript<State: CallState>(type: State.Type) -> State? {
        get { withSlots { $0[type] } }
        set { withSlots { $0[type] = newValue } }
    }
}
