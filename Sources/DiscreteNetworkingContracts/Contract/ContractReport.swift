import DiscreteNetworkingCore

/// The result of comparing an endpoint with its contract.
public struct ContractReport: Sendable {
    /// The verdict, from best to worst.
    public enum Verdict: String, Sendable, CaseIterable {
        /// No drift.
        case unchanged
        /// Not called: it lacks arguments, or is left out.
        case skipped
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

    /// The name of the contract.
    public let name: String
    /// The HTTP method and method name.
    public let endpoint: String
    /// The identifier of the service.
    public let service: String
    /// The drifts, in the order of their paths.
    public var drifts: [Drift] = []
    /// What is shown of drifts besides their kinds.
    var details: [String: DriftDetail] = [:]
    /// Why there was nothing to compare; `nil` if there was.
    public var problem: String?
    /// Why the response cannot be decoded, if not because of a single drift.
    public var failure: String?
    /// Whether the endpoint is gone: ``failure`` is its status then, 404, 405 or 410.
    public var isGone = false
    /// Whether the contract was written.
    public var isRecorded = false
    /// Whether ``problem`` concerns the whole server, or the connection to it.
    public var isUnreachable = false
    /// Why the endpoint was not called; `nil` if it was.
    public var skipped: String?

    /// The result as one word.
    public var verdict: Verdict {
        if skipped != nil { return .skipped }
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
        [skipped, problem, failure.map { "breaking: \(isGone ? "" : "the output cannot be made, ")\($0)" }]
            .compactMap(\.self)
            + drifts.map(\.description)
    }

    /// The endpoint, the verdict and the problems.
    public var text: String {
        (["\(name) (\(service), \(endpoint)): \(verdict.rawValue)"] + lines.map { "  " + $0 })
            .joined(separator: "\n")
    }

    /// The same as ``text``.
    public var description: String { text }
}
