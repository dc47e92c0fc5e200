import DiscreteNetworking

/// One line of a stub transport: which requests, and what they are answered.
struct Stub: Sendable {
    let matchers: [StubMatcher]
    let answers: [StubAnswer]
    /// Whether the one answer is given again and again.
    let repeats: Bool
    let line: TestLine
    /// How many requests it has answered.
    var used = 0

    var name: String { matchers.map(\.name).joined(separator: ", ") }

    /// The next answer; `nil` where all have been given.
    var next: StubAnswer? { repeats ? answers.first : used < answers.count ? answers[used] : nil }

    /// Whether all matchers mean a request.
    func isFor(_ request: APIRequest) -> Bool { matchers.allSatisfy { $0.mismatch(request) == nil } }

    /// Why a request is not meant, for each matcher that says so, and for a sequence that is over.
    func mismatches(_ request: APIRequest) -> [String] {
        let reasons = matchers.compactMap { $0.mismatch(request) }
        guard reasons.isEmpty, next == nil else { return reasons }
        return ["all its \(answers.count) answers have been given"]
    }

    /// What is left over of it; `nil` where it has done what it is there for.
    var leftover: String? {
        if used == 0 { return "The stub for \(name) was never used." }
        guard !repeats, used < answers.count else { return nil }
        return "The stub for \(name) gave \(used) of its \(answers.count) answers."
    }
}
