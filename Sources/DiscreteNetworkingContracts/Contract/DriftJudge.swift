import DiscreteNetworkingCore

/// Determines which drifts break an output by decoding the body with a single drift at a time.
struct DriftJudge {
    let repair: DriftRepair
    /// Returns why a body cannot be decoded; `nil` if it can.
    let failure: (JSONValue) -> APIError.Kind?

    /// - Parameter whole: Why the received body cannot be decoded.
    /// - Returns: The drifts with their severity, and why the body cannot be decoded if no single drift is
    ///   the cause.
    func judge(
        _ drifts: [Drift], in body: JSONValue, failing whole: APIError.Kind?
    ) -> (drifts: [Drift], failure: String?) {
        guard let whole else { return (drifts, nil) }
        var judged = drifts
        // A body repaired with example values may not be decodable. Then only the path of the failure can
        // tell.
        let isRepairable = failure(repair.undo(drifts, in: body)) == nil
        for index in drifts.indices {
            var others = drifts
            let drift = others.remove(at: index)
            if isRepairable {
                if let alone = failure(repair.undo(others, in: body)) {
                    judged[index].severity = .breaking
                    judged[index].reason = Self.text(alone)
                }
            } else if Self.place(of: whole).map({ Self.isSame($0, drift.path) }) == true {
                judged[index].severity = .breaking
                judged[index].reason = Self.text(whole)
            }
        }
        let isExplained = judged.contains { $0.severity == .breaking }
        return (judged, isExplained ? nil : Self.text(whole))
    }

    /// Returns the text of a failure.
    static func text(_ kind: APIError.Kind) -> String {
        switch kind {
        case .decoding(let failure):
            "at \(failure.path.isEmpty ? "$" : JSONPath(failure.path).description): "
                + Redaction.standard.redacted(text: failure.reason)
        case .business(let code, _):
            "the business code \(code.canonicalText) (\(JSONType(of: code).rawValue)) is no success."
        case .http(let status): "the status \(status) is no success."
        default: "\(kind)"
        }
    }

    private static func place(of kind: APIError.Kind) -> [String]? {
        if case .decoding(let failure) = kind, !failure.path.isEmpty { failure.path } else { nil }
    }

    private static func isSame(_ place: [String], _ path: FieldPath) -> Bool {
        place.count == path.components.count
            && zip(place, path.components).allSatisfy { name, component in
                switch component {
                case .key(let key): key == name
                case .element: Int(name) != nil
                }
            }
    }
}
