import DiscreteNetworking

/// How a call ended, as often as it was told.
@MainActor
final class CallOutcomes {
    private(set) var all: [Result<Void, APIError>] = []
    private var waiter: CheckedContinuation<Void, Never>?

    func add(_ outcome: Result<Void, APIError>) {
        all.append(outcome)
        waiter?.resume()
        waiter = nil
    }

    /// Waits until it was told.
    var first: Result<Void, APIError> {
        get async {
            if all.isEmpty { await withCheckedContinuation { waiter = $0 } }
            return all[0]
        }
    }
}
