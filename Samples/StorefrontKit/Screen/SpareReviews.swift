import DiscreteNetworking

/// A plugin: where there are no reviews to be had, there are none to be read.
struct SpareReviews: APIPlugin {
    func recover(from failure: APIFailure) -> (any Sendable)? {
        failure.call.managerType == ReviewsManager.self ? JSONValue.array([]) : nil
    }
}
