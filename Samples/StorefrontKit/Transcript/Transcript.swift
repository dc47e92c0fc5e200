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
        _ title: String, expecting expected: Outcome, _ body: () async throws(APIError) -> [String]
    ) async {
        steps += 1
        print("\(steps). \(title)")
        let outcome: Outcome
        do throws(APIError) {
            for line in try await body() { print("     \(line)") }
            outcome = .success
        } catch {
            print("     \(error.localizedDescription)")
            outcome = Outcome(error)
        }
        if outcome == expected {
            print("   ok: \(outcome), as expected")
        } else {
            unexpected += 1
            print("   UNEXPECTED: \(outcome) instead of \(expected)")
        }
    }

    func summarize() {
        let verdict = unexpected == 0 ? "all as expected" : "\(unexpected) of them not as expected"
        print("\(steps) steps, \(verdict).")
    }
}
