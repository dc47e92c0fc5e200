import DiscreteNetworking

/// Runs the steps of the sample, prints a line for each, and counts what was not expected.
@MainActor
final class Transcript {
    private(set) var steps = 0
    private(set) var unexpected = 0
    /// Whether a server has stopped responding, so that what follows would show nothing.
    private(set) var isOver = false
    /// The number of unexpected timeouts in a row: a server that accepts connections may still never respond.
    private var timeouts = 0
    private let console: Console
    private let isVerbose: Bool

    /// - Parameter isVerbose: whether all that a step shows has a line of its own.
    init(console: Console, isVerbose: Bool) {
        self.console = console
        self.isVerbose = isVerbose
    }

    /// - Parameter body: makes calls, and returns the lines that a view would show.
    func step(
        _ title: String, expecting expected: Outcome, _ body: () async throws -> [String]
    ) async {
        guard !isOver else { return }
        steps += 1
        if isVerbose { console.out("\(steps). \(title)") }
        let outcome: Outcome
        var (shown, problem): ([String], String?) = ([], nil)
        do {
            shown = try await body()
            outcome = .success
        } catch {
            problem = error.localizedDescription
            outcome = (error as? APIError).map(Outcome.init) ?? .other
        }
        for line in shown { note(line) }
        if let problem { note(problem) }
        timeouts = outcome == .timedOut && outcome != expected ? timeouts + 1 : 0
        guard outcome != expected else {
            let result = expected == .success ? shown.joined(separator: "; ") : "\(outcome)"
            return console.out(Self.line("✓", steps, title, result))
        }
        unexpected += 1
        isOver = outcome == .unreachable || timeouts == 2
        console.out("✗ \(steps) \(title): expected \(expected), got \(outcome)")
        if let problem, !isVerbose { console.out("     \(problem)") }
    }

    /// Shows what happens during a step, if somebody wants to know.
    func note(_ line: String) { if isVerbose { console.out("     \(line)") } }

    /// One line of at most 110 characters.
    private static func line(_ mark: String, _ number: Int, _ title: String, _ result: String) -> String {
        let line = "\(mark) \(number) \(title)" + (result.isEmpty ? "" : ": \(result)")
        return line.count > 110 ? "\(line.prefix(109))…" : line
    }

    func summarize() {
        let verdict = unexpected == 0 ? "all as expected" : "\(unexpected) of them not as expected"
        console.out("\(steps) steps, \(verdict).")
    }
}
