import Foundation

/// A place in a description: a document, and a JSON pointer in it (RFC 6901).
struct Place: Hashable, Sendable, CustomStringConvertible {
    let document: String
    let pointer: [String]

    func appending(_ token: String) -> Place { Place(document: document, pointer: pointer + [token]) }

    /// The steps from one place of a document to another.
    func distance(to other: Place) -> Int {
        let shared = zip(pointer, other.pointer).prefix { $0 == $1 }.count
        return pointer.count + other.pointer.count - 2 * shared
    }

    var description: String {
        (fileName ?? "") + "#" + text
    }

    /// The last part of the document's name, for texts and for generated files.
    var fileName: String? {
        let isRemote = ["http://", "https://"].contains { document.lowercased().hasPrefix($0) }
        let name = isRemote ? VisibleText.url(document.prefix { $0 != "#" }.description) : document
        return name.split(separator: "/").last.map(String.init)
    }

    /// The pointer as text: `/paths/~1pets/get`.
    var text: String {
        pointer.map { token in
            "/"
                + token.map { character in
                    switch character {
                    case "~": "~0"
                    case "/": "~1"
                    default: String(character)
                    }
                }
                .joined()
        }
        .joined()
    }
}
