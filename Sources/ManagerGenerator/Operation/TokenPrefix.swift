import Foundation

/// What a key in `Authorization` has before the token, such as `Token `: OpenAPI has no member for it, so that descriptions
/// say it in words.
enum TokenPrefix {
    /// The words that are a scheme where an example has a token after them.
    private static let schemes: Set = ["apikey", "api-key", "basic", "bearer", "jwt", "key", "token"]

    /// Returns the prefix with its space; `nil` if the text names none.
    /// - Parameter text: The name and the description of the scheme.
    static func prefix(in text: String) -> String? {
        let found = quoted(in: text) ?? example(in: text)
        if let found { return found + " " }
        return text.range(of: "bearer", options: .caseInsensitive) == nil ? nil : "Bearer "
    }

    /// `… with required prefix "Token"`, as drf-spectacular says.
    private static func quoted(in text: String) -> String? {
        for part in parts(of: text, after: "prefix ") {
            guard let quote = part.first, #""'`"#.contains(quote),
                let end = part.dropFirst().firstIndex(of: quote)
            else { continue }
            let word = part[..<end].dropFirst().trimmingCharacters(in: .whitespaces)
            if word.isToken { return word }
        }
        return nil
    }

    /// `Authorization: Token abc123`, and `Authorization: Token {key}`.
    private static func example(in text: String) -> String? {
        for part in parts(of: text, after: "authorization: ") {
            let words = part.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard words.count > 1, let next = words[1].first, String(words[0]).isToken else { continue }
            if schemes.contains(words[0].lowercased()) || "{[<$".contains(next) { return String(words[0]) }
        }
        return nil
    }

    /// What follows each occurrence of a text.
    private static func parts(of text: String, after begin: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while let range = rest.range(of: begin, options: .caseInsensitive) {
            rest = rest[range.upperBound...]
            parts.append(rest)
        }
        return parts
    }
}
