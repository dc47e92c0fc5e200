/// Who may use the generated code.
enum AccessLevel: String, Sendable {
    case `public`, package, `internal`

    /// Code that was written for everybody, with this level instead.
    func applied(to code: String) -> String {
        guard self != .public else { return code }
        let word = self == .package ? "package " : ""
        return code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indentation = line.prefix { $0 == " " }
            let rest = line.dropFirst(indentation.count)
            guard let level = ["public ", "open "].first(where: rest.hasPrefix) else { return String(line) }
            return indentation + word + rest.dropFirst(level.count)
        }
        .joined(separator: "\n")
    }
}
