import DiscreteNetworking

/// The result of comparing an endpoint with its contract.
public struct ContractReport: Sendable {
    /// The verdict, from best to worst.
    public enum Verdict: String, Sendable, CaseIterable {
        /// No drift.
        case unchanged
        /// The contract was recorded or widened.
        case recorded
        /// Additions only.
        case news
        /// A change that does not break the output.
        case warning
        /// The output can no longer be decoded.
        case breaking
        /// Nothing to compare: no response or no contract.
        case failed
    }

    public let name: String
    /// The HTTP method and method name.
    public let endpoint: String
    public let service: String
    /// The drifts, in the order of their paths.
    public var drifts: [Drift] = []
    /// Why there was nothing to compare; `nil` if there was.
    public var problem: String?
    /// Why the response cannot be decoded, if not because of a single drift.
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

    /// Returns the message of a failed test; `nil` if nothing exceeds a severity.
    public func complaint(allowing severity: Drift.Severity = .news) -> String? {
        let isFine = problem == nil && failure == nil && drifts.allSatisfy { $0.severity <= severity }
        return isFine ? nil : text
    }
}

extension ContractReport: CustomStringConvertible {
    /// The problems, one line each.
    public var lines: [String] {
        [problem, failure.map { "breaking: the output cannot be made, \($0)" }].compactMap(\.self)
            + drifts.map(\.description)
    }

    /// The endpoint, the verdict and the problems.
    public var text: String {
        (["\(name) (\(service), \(endpoint)): \(verdict.rawValue)"] + lines.map { "  " + $0 })
            .joined(separator: "\n")
    }

    public var description: String { text }
}
