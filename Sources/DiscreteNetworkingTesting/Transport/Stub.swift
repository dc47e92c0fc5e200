import DiscreteNetworkingCore

/// A stub: matchers and answers.
struct Stub: Sendable {
    let matchers: [StubMatcher]
    let answers: [StubAnswer]
    /// Whether the single answer is used again.
    let repeats: Bool
    let line: TestLine
    /// The number of requests it has answered.
    var used = 0

    var name: String { matchers.map(\.name).joined(separator: ", ") }

    /// The next answer; `nil` if all were used.
    var next: StubAnswer? { repeats ? answers.first : used < answers.count ? answers[used] : nil }

    /// Whether all matchers match a request.
    func isFor(_ request: APIRequest) -> Bool { matchers.allSatisfy { $0.mismatch(request) == nil } }

    /// Returns why a request does not match.
    func mismatches(_ request: APIRequest) -> [String] {
        let reasons = matchers.compactMap { $0.mismatch(request) }
        guard reasons.isEmpty, next == nil else { return reasons }
        return ["all its \(answers.count) answers have been given"]
    }

    /// Returns why the stub is not completely used; `nil` if it is.
    var leftover: String? {
        if used == 0 { return "The stub for \(name) was never used." }
        guard !repeats, used < answers.count else { return nil }
        return "The stub for \(name) gave \(used) of its \(answers.count) answers."
    }
}
