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
    /// Ends the call: hooks before, delegate and completions, hooks after.
    func conclude(_ pending: PendingCall, _ outcome: CallOutcome, _ completions: PendingCall.Completions)
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

/// What a call that has ended has done at the server.
package struct CallEffect: Sendable {
    /// Whether the call has succeeded.
    package var isConfirmed: Bool
    /// Whether the server may have done what the call asked for.
    package var mayHaveActed: Bool
    /// The environments of the last attempt; `nil` if there are none.
    package var scope: EnvironmentScope?

    package init(isConfirmed: Bool, mayHaveActed: Bool, scope: EnvironmentScope? = nil) {
        (self.isConfirmed, self.mayHaveActed, self.scope) = (isConfirmed, mayHaveActed, scope)
    }
}

extension PendingCall {
    /// What the outcome of the call changes elsewhere.
    package typealias Ending = @Sendable (CallEffect) async -> Void

    /// Receives the result of a call: one for each `loadData` or `load` that the call serves.
    enum Completion: Sendable {
        case closure(@MainActor @Sendable (Result<any Sendable, APIError>) -> Void)
        /// The task that waits for the result.
        case waiter(LoadWaiter)

        @MainActor
        func callAsFunction(_ result: Result<any Sendable, APIError>) {
            switch self {
            case .closure(let tell): tell(result)
            case .waiter(let waiter): waiter.finish(result)
            }
        }
    }

    /// Cancels the call because its manager was released; the error explains how to retain it.
    func cancelForRelease() {
        fail(
            .cancelled,
            hint: """
                \(call.managerType) was released before its call ended, which cancels its calls. Store it in a \
                property, or use "try await manager.load()" or "manager.loadOnce { … }", which retain it.
                """)
    }

    /// The completions of a call that has ended.
    struct Completions: Sendable {
        /// Kept with their listeners: to filter them would allocate another array.
        let listeners: [(listener: Listener, completion: Completion?)]

        @MainActor
        func callAsFunction(_ result: Result<any Sendable, APIError>) {
            for (_, completion) in listeners { completion?(result) }
        }
    }
}
