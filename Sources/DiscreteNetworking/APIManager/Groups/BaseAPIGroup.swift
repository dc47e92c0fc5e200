/// What all groups and chains have in common, whatever they are of.
///
/// Releasing one cancels what it started.
@MainActor
public class BaseAPIGroup {
    /// Told how it ended.
    public weak var delegate: (any APIGroupDelegate)?
    /// Told how far it has come, like ``delegate``.
    public var onProgress: (@MainActor (APIGroupProgress) -> Void)?

    /// How far the latest loading has come.
    public internal(set) var progress: APIGroupProgress
    /// Why the last loading failed: the error of the manager that failed. `nil` after a success.
    public internal(set) var error: APIError?
    /// Which member or step that was, counted from 0.
    public internal(set) var failedIndex: Int?
    /// Whether something is being loaded. `false` as soon as it was cancelled.
    public var isLoading: Bool { tasks.isAnyRunning }

    let tasks = GroupTasks()

    init(total: Int) { progress = APIGroupProgress(finished: 0, total: total) }

    deinit { tasks.cancelAll() }

    /// Cancels all that this group started and that has not ended: its outcome is
    /// ``APIError/Kind/cancelled``, as that of each of its managers.
    public func cancel() { tasks.cancelAll() }

    func tell(_ progress: APIGroupProgress) {
        self.progress = progress
        onProgress?(progress)
        delegate?.group(self, didProgress: progress)
    }
}
