/// The base class of groups and chains, independent of the output type.
///
/// Releasing one cancels its calls.
@MainActor
public class BaseAPIGroup {
    /// The delegate that receives the outcome.
    public weak var delegate: (any APIGroupDelegate)?
    /// Receives progress updates, like ``delegate``.
    public var onProgress: (@MainActor (APIGroupProgress) -> Void)?

    /// The progress of the latest load.
    public internal(set) var progress: APIGroupProgress
    /// Why the last load failed: the error of the failed manager. `nil` after a success.
    public internal(set) var error: APIError?
    /// The index of the failed member or step, starting with 0; `nil` after a success.
    public internal(set) var failedIndex: Int?
    /// Whether a load is in progress. `false` as soon as it is canceled.
    public var isLoading: Bool { tasks.isAnyRunning }

    let tasks = GroupTasks()

    init(total: Int) { progress = APIGroupProgress(finished: 0, total: total) }

    deinit { tasks.cancelAll() }

    /// Cancels all loads in progress: they and their managers end with ``APIError/Kind/cancelled``.
    public func cancel() { tasks.cancelAll() }

    func tell(_ progress: APIGroupProgress) {
        self.progress = progress
        onProgress?(progress)
        delegate?.group(self, didProgress: progress)
    }
}
