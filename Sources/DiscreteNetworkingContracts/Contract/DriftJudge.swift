import DiscreteNetworking

/// Finds out which drifts break an output, by decoding: the body as it is, and again with one drift alone.
struct DriftJudge {
    let repair: DriftRepair
    /// Why a body does not make an output; `nil` where it does.
    let failure: (JSONValue) -> APIError.Kind?

    /// - Parameter whole: why the body as it came is no output.
    /// - Returns: the drifts of the body with their severity, and why the body is no output where no single drift is to
    /// blame for it.
    func judge(
        _ drifts: [Drift], in body: JSONValue, failing whole: APIError.Kind?
    ) -> (drifts: [Drift], failure: String?) {
        guard let whole else { return (drifts, nil) }
        var judged = drifts
        // What decoded when it was recorded may no longer once it is put back with examples in place of values:
        // then only the place of the failure can tell.
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

    /// What went wrong.
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
