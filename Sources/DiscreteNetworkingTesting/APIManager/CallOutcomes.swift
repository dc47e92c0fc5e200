import DiscreteNetworkingCore

/// The outcomes delivered for a call.
@MainActor
final class CallOutcomes {
    private let told = Watched<[Result<Void, APIError>]>([])

    var all: [Result<Void, APIError>] { told.current }

    func add(_ outcome: Result<Void, APIError>) { told.withLock { $0.append(outcome) } }

    /// Waits for the first outcome; fails the test after a timeout.
    func first(of manager: BaseAPIManager.Type, at line: TestLine) async -> Result<Void, APIError>? {
        await told.wait(
            within: 30, at: line, until: { !$0.isEmpty },
            missing: { _ in
                "the outcome of a call of \(manager). The manager never delivered it."
            })
        return all.first
    }
}
