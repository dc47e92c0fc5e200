/// One load of a group or chain.
@MainActor
final class GroupRun {
    typealias Answer = Result<any Sendable, APIError>

    let cancelsRest: Bool
    private(set) var answers: [Answer?]
    private(set) var finished = 0
    /// The index of the failed member that determines the group's error.
    private(set) var failedIndex: Int?
    var onProgress: @MainActor (APIGroupProgress) -> Void = { _ in }

    init(total: Int, cancelsRest: Bool) {
        self.cancelsRest = cancelsRest
        answers = Array(repeating: nil, count: total)
    }

    var progress: APIGroupProgress { APIGroupProgress(finished: finished, total: answers.count) }

    /// With fail-fast, later failures are consequences of the cancellation.
    func finish(_ index: Int, _ answer: Answer) {
        answers[index] = answer
        finished += 1
        if case .failure = answer {
            failedIndex = cancelsRest ? failedIndex ?? index : min(failedIndex ?? index, index)
        }
        onProgress(progress)
    }

    /// Loads one step of a chain.
    func step<Element: APILoadable>(_ index: Int, _ element: Element) async throws(APIError) -> Element.Output
    {
        do throws(APIError) {
            let output = try await element.loadAsMember()
            finish(index, .success(output))
            return output
        } catch {
            finish(index, .failure(error))
            throw error
        }
    }
}
