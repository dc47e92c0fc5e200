import Foundation

/// A page that reads the header `Link` of its response.
protocol LinkedPage: Sendable {
    var link: PageLink? { get set }
}

/// What the header `Link` says of the pages of a list (RFC 8288).
struct PageLink: Sendable, Equatable {
    /// The params in the URLs of the next and the previous page.
    private(set) var next: [String: String]?
    private(set) var previous: [String: String]?

    /// - Returns: `nil` if the header names no page of a list.
    init?(_ text: String, at url: URL) {
        var isPage = false
        for (target, relations) in Self.links(text) {
            let pages: Set<String> = ["next", "prev", "previous", "first", "last"]
            guard !relations.isDisjoint(with: pages) else { continue }
            isPage = true
            guard let whole = URL(string: target, relativeTo: url),
                let items = URLComponents(url: whole, resolvingAgainstBaseURL: true)?.queryItems
            else { continue }
            let params = Dictionary(
                items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
            if relations.contains("next") { next = params }
            if relations.contains("prev") || relations.contains("previous") { previous = params }
        }
        guard isPage else { return nil }
    }

    /// The targets with their relation types, in lower case.
    private static func links(_ text: String) -> [(target: String, relations: Set<String>)] {
        var links: [(target: String, relations: Set<String>)] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let target = String(rest[rest.index(after: open)..<close])
            var params = ""
            var (isQuoted, isEscaped) = (false, false)
            rest = rest[rest.index(after: close)...]
            while let character = rest.first, isQuoted || character != "," {
                if isEscaped {
                    isEscaped = false
                } else if isQuoted, character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted.toggle()
                }
                params.append(character)
                rest.removeFirst()
            }
            links.append((target, relations(in: params)))
        }
        return links
    }

    private static func relations(in params: String) -> Set<String> {
        Set((FieldParameters(params)["rel"] ?? "").lowercased().split(separator: " ").map(String.init))
    }
}
