/// Confirms or undoes the optimistic changes of a call, and makes cached responses stale. In the list only for
/// ``TypedAPIManager/load(with:optimistically:)`` and ``BaseAPIManager/invalidates(with:)``.
struct ChangeStep: CallStep {
    static let place = StepPlace.change
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        do throws(Interruption) {
            let response = try await rest(&attempt)
            await pending.ending?(CallEffect(isConfirmed: true, mayHaveActed: true, scope: attempt.scope))
            return response
        } catch {
            let mayHaveActed = attempt.mayHaveActed || error.mayHaveActed
            await pending.ending?(
                CallEffect(isConfirmed: false, mayHaveActed: mayHaveActed, scope: attempt.scope))
            throw error
        }
    }
}

extension Interruption {
    /// Whether the server may have done what the call asked for, although it has failed or was canceled.
    fileprivate var mayHaveActed: Bool { error?.mayHaveActed ?? true }
}

extension APIError {
    /// Whether the server may have done what the attempt asked for.
    var mayHaveActed: Bool {
        switch kind {
        case .timedOut, .transport, .cancelled, .decoding, .invalidResponse: true
        case .http(let status): status >= 500
        // What the service has made of a failure.
        case .swallowed, .degraded: underlying?.mayHaveActed ?? false
        default: false
        }
    }
}
