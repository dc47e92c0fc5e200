/// The combined state of several managers: whether any is loading, the last failure, and a way to retry it.
///
/// ```swift
/// let activity = APIActivity(profile, orders, coupons)
/// if activity.isLoading { ProgressView() }
/// if let failure = activity.failure {
///     Text(failure.userMessage)
///     Button("Try again") { activity.retry() }
/// }
/// ```
/// Computed from its managers, and observable as they are: by Observation if the system supports it, and as an
/// `ObservableObject` if Combine is available. It retains its managers.
@MainActor
public final class APIActivity {
    /// The managers of the screen.
    public let managers: [BaseAPIManager]

    /// Creates the activity of the managers of a list, which may be made at run time.
    public init(_ managers: [BaseAPIManager]) { self.managers = managers }

    /// Creates the activity of some managers.
    public convenience init(_ managers: BaseAPIManager...) { self.init(managers) }

    /// Whether any manager has a call in flight.
    public var isLoading: Bool {
        // Every manager is read, so that a change of any of them is seen.
        managers.map(\.isLoading).contains(true)
    }

    /// The manager of the last failure, unless it has succeeded since. Canceled calls do not count.
    public var failedManager: BaseAPIManager? {
        managers.filter { $0.state.value.failure != nil }.max {
            ($0.state.value.failure?.order ?? 0) < ($1.state.value.failure?.order ?? 0)
        }
    }

    /// The last failure.
    public var failure: APIError? { failedManager?.state.value.failure?.error }

    /// Repeats the last failed call with its params.
    /// - Returns: The request ID of the new call; `nil` if no call has failed, or if its user has logged out.
    @discardableResult
    public func retry() -> RequestID? { failedManager?.repeatFailedCall() }

    /// Cancels all calls of the managers.
    public func cancelAllRequests() {
        for manager in managers { manager.cancelAllRequests() }
    }
}

#if canImport(Combine)
    @preconcurrency public import Combine

    extension APIActivity: ObservableObject {
        /// Sends before the state of any manager changes.
        public nonisolated var objectWillChange: AnyPublisher<Void, Never> {
            Publishers.MergeMany(managers.map(\.objectWillChange)).eraseToAnyPublisher()
        }
    }
#endif
