/// What a screen with several managers shows of them: whether anything is loading, what failed last, and a way to try
/// that again.
///
/// ```swift
/// let activity = APIActivity(profile, orders, coupons)
/// if activity.isLoading { ProgressView() }
/// if let failure = activity.failure {
///     Text(failure.userMessage)
///     Button("Try again") { activity.retry() }
/// }
/// ```
/// It is computed from its managers, so it never disagrees with them, and it is observable as they are: by Observation
/// where the system has it, and as an `ObservableObject` where there is Combine. It keeps its managers.
@MainActor
public final class APIActivity {
    /// The managers of the screen.
    public let managers: [BaseAPIManager]

    public init(_ managers: [BaseAPIManager]) { self.managers = managers }

    public convenience init(_ managers: BaseAPIManager...) { self.init(managers) }

    /// Whether any of the managers has a call in flight.
    public var isLoading: Bool {
        // Every manager is read, so that a change of any of them is seen.
        managers.map(\.isLoading).contains(true)
    }

    /// The manager that failed last, and has not succeeded since. A cancelled call is no failure here.
    public var failedManager: BaseAPIManager? {
        managers.filter { $0.state.value.failure != nil }.max {
            ($0.state.value.failure?.order ?? 0) < ($1.state.value.failure?.order ?? 0)
        }
    }

    /// Why that manager failed.
    public var failure: APIError? { failedManager?.state.value.failure?.error }

    /// Makes the call that failed last again, with the params it had.
    /// - Returns: the number of the new call; `nil` where nothing has failed.
    @discardableResult
    public func retry() -> RequestID? { failedManager?.repeatFailedCall() }

    /// Cancels every call of the managers.
    public func cancelAllRequests() {
        for manager in managers { manager.cancelAllRequests() }
    }
}

#if canImport(Combine)
    @preconcurrency import Combine

    extension APIActivity: ObservableObject {
        /// Told before the state of any of the managers changes.
        public nonisolated var objectWillChange: AnyPublisher<Void, Never> {
            Publishers.MergeMany(managers.map(\.objectWillChange)).eraseToAnyPublisher()
        }
    }
#endif
