import Foundation

/// A path of a description, which may have more than a path: the endpoints of a script by their query, and operations that
/// differ in a fragment (`/files/{id}#copy`) or in spaces at the end, which no client sends.
struct PathText {
    /// The path alone.
    let path: String
    /// The query that every call has; `nil` if there is none.
    let query: String?

    init(_ text: String) {
        var whole = text[..<(Self.first("#", in: text) ?? text.endIndex)]
        while whole.last == " " { whole.removeLast() }
        guard let mark = Self.first("?", in: String(whole)) else {
            (path, query) = (String(whole), nil)
            return
        }
        (path, query) = (String(whole[..<mark]), String(whole[whole.index(after: mark)...]))
    }

    /// The first place of a character that is not in a placeholder: `{id?}` is one.
    private static func first(_ character: Character, in text: String) -> String.Index? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "{": depth += 1
            case "}": depth -= 1
            case character where depth == 0: return index
            default: break
            }
        }
        return nil
    }

    /// The names and values of the query, decoded.
    var pairs: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                let text = $0.replacingOccurrences(of: "+", with: " ")
                return text.removingPercentEncoding ?? text
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// Why a manager cannot have the query; `nil` if it can.
    var problem: String? {
        guard let query else { return nil }
        if query.contains(where: { "{}".contains($0) }) {
            return "has a placeholder in the query of its path"
        }
        let names = pairs.map(\.name)
        if names.contains("") { return "has a value without a name in the query of its path" }
        return Set(names).count == names.count ? nil : "has a name twice in the query of its path"
    }
}
