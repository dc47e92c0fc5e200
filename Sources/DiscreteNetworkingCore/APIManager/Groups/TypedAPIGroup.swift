/// The common part of ``APIGroup`` and ``APIChain``: a group with a typed output.
@MainActor
public class TypedAPIGroup<Output: Sendable>: BaseAPIGroup, APILoadable {
    typealias Work = @MainActor @Sendable (GroupRun) async -> Result<Output, APIError>

    /// The output of the last successful load. Unchanged by a later failure.
    public private(set) var output: Output?

    private let work: Work
    /// The run that reports its progress.
    private weak var latestRun: GroupRun?

    init(total: Int, work: @escaping Work) {
        self.work = work
        super.init(total: total)
    }

    /// Loads all members and returns the output.
    ///
    /// Canceling the task cancels every member. The group and its managers are retained until the load
    /// ends.
    /// - Throws: An ``APIError``.
    public func load() async throws(APIError) -> Output { try await run(.asSet).result.get() }

    /// The same as ``load()``.
    public func loadAsMember() async throws(APIError) -> Output { try await load() }

    /// Starts loading. The delegate and the closure receive the outcome once, on the main actor, after this
    /// method has returned.
    ///
    /// The closure is called with ``APIError/Kind/cancelled`` if the group is released before the load
    /// ends.
    public func loadData(
        completion: (@MainActor @Sendable (Result<Output, APIError>) -> Void)? = nil
    ) {
        _ = start(.asSet) { completion?($0.result) }
    }

    struct Outcome: Sendable {
        let result: Result<Output, APIError>
        let answers: [GroupRun.Answer?]
    }

    /// Whether a failure may cancel the other members.
    enum Mode { case asSet, collecting }

    /// Whether a failure cancels the other members.
    var cancelsRest: Bool { true }

    func run(_ mode: Mode) async -> Outcome {
        defer { withExtendedLifetime(self) {} }
        let outcome = Promise<Outcome>()
        let number = start(mode) { outcome.fulfil($0) }
        return await withTaskCancellationHandler {
            await outcome.value
        } onCancel: { [tasks] in
            tasks.cancel(number)
        }
    }

    private func start(_ mode: Mode, completion: @escaping @MainActor @Sendable (Outcome) -> Void) -> Int {
        let run = GroupRun(total: progress.total, cancelsRest: mode == .asSet && cancelsRest)
        run.onProgress = { [weak self, weak run] progress in
            if let self, latestRun === run { tell(progress) }
        }
        latestRun = run
        progress = run.progress
        let users = UserWork()
        return tasks.run { [work] in
            defer { users.end() }
            return await users.run { await work(run) }
        } then: { [weak self] result in
            var result = result
            if let self {
                conclude(result, run)
            } else if case .failure(var error) = result, error.kind == .cancelled {
                error.hint = """
                    The group or chain was released before it ended, which cancels its calls. Store it in a \
                    property, or use "try await group.load()", which retains it.
                    """
                result = .failure(error)
            }
            completion(Outcome(result: result, answers: run.answers))
        }
    }

    private func conclude(_ result: Result<Output, APIError>, _ run: GroupRun) {
        switch result {
        case .success(let output):
            self.output = output
            error = nil
            failedIndex = nil
            delegate?.groupDidSucceed(self)
        case .failure(let error):
            self.error = error
            failedIndex = run.failedIndex
            delegate?.groupDidFail(self)
        }
    }
}
