/// A group or chain that knows its output: what ``APIGroup`` and ``APIChain`` share.
@MainActor
public class TypedAPIGroup<Output: Sendable>: BaseAPIGroup, APILoadable {
    typealias Work = @MainActor @Sendable (GroupRun) async -> Result<Output, APIError>

    /// What the last loading that succeeded brought. Stays when a later one fails.
    public private(set) var output: Output?

    private let work: Work
    /// The one whose progress is told.
    private weak var latestRun: GroupRun?

    init(total: Int, work: @escaping Work) {
        self.work = work
        super.init(total: total)
    }

    /// Loads, and waits for the output.
    ///
    /// Cancelling the task cancels every member. The group and its managers live at least as long as this.
    public func load() async throws(APIError) -> Output { try await run(.asSet).result.get() }

    /// ``load()``.
    public func loadAsMember() async throws(APIError) -> Output { try await load() }

    /// Loads; the delegate is told, and the closure, once, on the main actor, after this has returned.
    ///
    /// The closure is told even when the group is released meanwhile: then it gets
    /// ``APIError/Kind/cancelled``.
    public func loadData(
        completion: (@MainActor @Sendable (Result<Output, APIError>) -> Void)? = nil
    ) {
        _ = start(.asSet) { completion?($0.result) }
    }

    struct Outcome: Sendable {
        let result: Result<Output, APIError>
        let answers: [GroupRun.Answer?]
    }

    /// Whether the rest goes on when one has failed.
    enum Mode { case asSet, collecting }

    /// Whether a failure cancels the rest.
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
            return await UserWork.$current.withValue(users) { await work(run) }
        } then: { [weak self] result in
            var result = result
            if let self {
                conclude(result, run)
            } else if case .failure(var error) = result, error.kind == .cancelled {
                error.hint = """
                    The group or chain was released before it was through, which cancels its calls. Keep it in a \
                    property, or write "try await group.load()", which holds it until the answer.
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
