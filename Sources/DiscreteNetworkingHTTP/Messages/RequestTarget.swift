import Foundation

/// The parts of a URL that a server gets to see, as they are written.
package struct RequestTarget {
    /// `/` where it is empty, as on the wire.
    package let path: String
    /// Without the question mark; empty where there is none.
    package let query: String

    package init(_ url: URL) {
        var text = url.absoluteString[...]
        if let scheme = text.range(of: "://") { text = text[scheme.upperBound...] }
        text = text.drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        let path = text.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = String(text.dropFirst(path.count + 1))
    }
}
