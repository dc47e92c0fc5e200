import Foundation

/// Text of a description for a terminal: nothing hides, moves or recolors what stands around it.
enum VisibleText {
    /// The most characters of an error or a note. A name may have megabytes.
    static let limit = 2_000

    /// Escapes control, invisible and bidirectional characters and line breaks: `\u{1b}`. Cuts a long text.
    static func line(_ text: String) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return line + "…" }
            count += 1
            if scalar.isInvisible {
                line += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// A URL or a reference without user, password and query, which may be secrets.
    static func url(_ text: String) -> String {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var address = String(parts[0].prefix { $0 != "?" })
        if let slashes = address.range(of: "//") {
            let rest = address[slashes.upperBound...]
            let authority = rest.prefix { $0 != "/" }
            if let at = authority.lastIndex(of: "@") {
                address = String(address[..<slashes.upperBound] + rest[rest.index(after: at)...])
            }
        }
        return parts.count > 1 ? address + "#" + parts[1] : address
    }
}
