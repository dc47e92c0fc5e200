import DiscreteNetworking

/// Runs the steps of the sample, prints what happens, and counts what was not expected.
@MainActor
final class Transcript {
    private(set) var steps = 0
    private(set) var unexpected = 0
    private let print: @Sendable (String) -> Void

    init(print: @escaping @Sendable (String) -> Void) { self.print = print }

    /// - Parameter body: makes calls, and returns the lines that a view would show.
    func step(
        _ title: String, expecting expected: Outcome, _ body: () async throws -> [String]
    ) async {
        steps += 1
        print("\(steps). \(title)")
        let outcome: Outcome
        do {
            for line in try await body() { print("     \(line)") }
            outcome = .success
        } catch {
            print("     \(error.localizedDescription)")
            outcome = (error as? APIError).map(Outcome.init) ?? .other
        }
        let isExpected = outcome == expected
        if !isExpected { unexpected += 1 }
        print("   \(isExpected ? "ok" : "UNEXPECTED"): expected \(expected), got \(outcome)")
    }

    func summarize() {
        let verdict = unexpected == 0 ? "all as expected" : "\(unexpected) of them not as expected"
        print("\(steps) steps, \(verdict).")
    }
}
