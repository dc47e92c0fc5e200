extension ManagerEmitter {
    /// `failure(in:)`: the described body of a failure, by the status of its response.
    func emitFailures(_ operation: Operation, to source: inout Source) {
        guard operation.failures.count > 1 else {
            guard let failure = operation.failures.first else { return }
            source.space()
            source.documentation("The body of a failure with \(Self.text(failure.statuses)).")
            let type = names.name(failure.type)
            source.block("public nonisolated static func failure(in error: APIError) -> \(type)?") { source in
                guard let condition = Self.condition(failure) else { return source.add("error.body()") }
                source.add("guard let status = error.response?.status, \(condition) else { return nil }")
                source.add("return error.body()")
            }
            return
        }
        source.space()
        source.documentation("The described bodies of failures.")
        source.block("public nonisolated enum Failure: Equatable, Sendable") { source in
            for failure in operation.failures {
                source.documentation("The body of a failure with \(Self.text(failure.statuses)).")
                source.add("case \(Self.caseName(failure))(\(names.name(failure.type)))")
            }
        }
        source.space()
        source.documentation("The body of a failure, by its status; `nil` for one that is not described so.")
        source.block("public nonisolated static func failure(in error: APIError) -> Failure?") { source in
            source.add("guard let status = error.response?.status else { return nil }")
            source.add("switch status {")
            for (patterns, failure) in Self.branches(operation.failures) {
                source.cases(patterns)
                source.add(
                    failure.map { "    return error.body().map(Failure.\(Self.caseName($0)))" }
                        ?? "    return nil")
            }
            source.add("}")
        }
    }

    /// Exact statuses before ranges, and `default` last (OpenAPI 3.1 section 4.8.16); `nil` for those without a body.
    private static func branches(
        _ failures: [FailureBody]
    ) -> [(patterns: [String], failure: FailureBody?)] {
        var branches: [(patterns: [String], failure: FailureBody?)] = []
        let fallback = failures.first { $0.statuses.contains("default") }
        let read = Set(failures.flatMap(\.statuses))
        let unread = (failures.first { !$0.others.isEmpty }?.others ?? []).filter { !read.contains($0) }
        for isExact in [true, false] {
            func patterns(_ statuses: [String]) -> [String] {
                statuses.filter { ($0 != "default") && (Int($0) != nil) == isExact }.compactMap(pattern)
            }
            for failure in failures { branches.append((patterns(failure.statuses), failure)) }
            branches.append((patterns(unread), nil))
        }
        branches.append((["_"], fallback))
        return branches.filter { !$0.patterns.isEmpty }
    }

    /// `status404`, `status4XX` or `other`: by the first status that it stands for.
    private static func caseName(_ failure: FailureBody) -> String {
        let first = failure.statuses.first { $0 != "default" }
        return failure.statuses.contains("default") ? "other" : "status\(first?.uppercased() ?? "")"
    }

    /// `404`, or `400...499` for `4XX`.
    private static func pattern(_ status: String) -> String? {
        if Int(status) != nil { return status }
        guard let digit = status.first.flatMap({ Int(String($0)) }) else { return nil }
        return "\(digit)00...\(digit)99"
    }

    /// The statuses of a single body; `nil` for all.
    private static func condition(_ failure: FailureBody) -> String? {
        if failure.statuses.contains("default") {
            let others = failure.others.compactMap(pattern)
            guard !others.isEmpty else { return nil }
            return others.map { $0.contains("...") ? "!(\($0)).contains(status)" : "status != \($0)" }
                .joined(separator: ", ")
        }
        if failure.statuses.allSatisfy({ Int($0) != nil }) {
            return "[\(failure.statuses.joined(separator: ", "))].contains(status)"
        }
        let any = failure.statuses.compactMap(pattern)
            .map { $0.contains("...") ? "(\($0)).contains(status)" : "status == \($0)" }
            .joined(separator: " || ")
        let ranges = failure.statuses.filter { Int($0) == nil }.compactMap(\.first)
        let others = failure.others.filter { Int($0) != nil && $0.first.map(ranges.contains) == true }
        return ([any] + others.map { "status != \($0)" }).joined(separator: ", ")
    }

    private static func text(_ statuses: [String]) -> String {
        statuses.map { $0 == "default" ? "any other status" : "status \($0.uppercased())" }
            .joined(separator: " or ")
    }
}
