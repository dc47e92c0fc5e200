import DiscreteNetworking

/// What came of comparing one endpoint with its contract.
public struct ContractReport: Sendable {
    /// The outcome, from good to bad.
    public enum Verdict: String, Sendable, CaseIterable {
        /// As recorded.
        case unchanged
        /// The contract was written anew, or widened.
        case recorded
        /// Something was added.
        case news
        /// Something changed, and the output can still be made.
        case warning
        /// The output can no longer be made.
        case breaking
        /// There was nothing to compare: no answer, no contract.
        case failed
    }

    public let name: String
    /// HTTP method and method name.
    public let endpoint: String
    public let service: String
    /// In the order of the paths.
    public var drifts: [Drift] = []
    /// Why there was nothing to compare.
    public var problem: String?
    /// Why the response is no output, where no single drift is to blame.
    public var failure: String?
    /// Whether the contract was written.
    public var isRecorded = false

    public var verdict: Verdict {
        if problem != nil { return .failed }
        let worst = drifts.map(\.severity).max()
        if failure != nil || worst == .breaking { return .breaking }
        if isRecorded { return .recorded }
        return switch worst {
        case nil, .breaking?: .unchanged
        case .news?: .news
        case .warning?: .warning
        }
    }

    /// What a test says: `nil` where all is well. Warnings are problems too unless they are allowed.
    public func complaint(allowing severity: Drift.Severity = .news) -> String? {
        let isFine = problem == nil && failure == nil && drifts.allSatisfy { $0.severity <= severity }
        return isFine ? nil : text
    }
}

extension ContractReport: CustomStringConvertible {
    /// What is wrong, one line for each thing.
    public var lines: [String] {
        [problem, failure.map { "breaking: the output cannot be made, \($0)" }].compactMap(\.self)
            + drifts.map(\.description)
    }

    /// The endpoint and the verdict, and below them what is wrong.
    public var text: String {
        (["\(name) (\(service), \(endpoint)): \(verdict.rawValue)"] + lines.map { "  " + $0 })
            .joined(separator: "\n")
    }

    public var description: String { text }
}
