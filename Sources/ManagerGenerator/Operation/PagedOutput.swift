/// A way of asking for pages that the user has named: `number:page,size`, `offset:offset,limit`, `cursor:after,limit`.
struct PagingPattern: Sendable {
    let style: String
    let name: String
    let sizeName: String?

    init(_ text: String) throws(GeneratorError) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let names = parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : []
        guard let style = parts.first, ["number", "offset", "cursor"].contains(style), 1...2 ~= names.count
        else {
            throw GeneratorError(
                "--paging needs number:PAGE,SIZE, offset:OFFSET,LIMIT or cursor:CURSOR,LIMIT, the names of the parameters, not \(text)."
            )
        }
        self.style = style
        name = names[0]
        sizeName = names.count > 1 ? names[1] : nil
    }

    func matches(_ operation: Operation) -> Bool {
        func has(_ name: String) -> Bool {
            operation.parameters.contains {
                if case .query = $0.location { $0.wireName == name && $0.key == name } else { false }
            }
        }
        return has(name) && (sizeName.map(has) ?? true)
    }

    /// `.number(name: "page", sizeName: "size")`
    func expression(size: String?) -> String {
        var items = size.map { ["size: \($0)"] } ?? []
        items.append("name: \(Literal.string(name))")
        items.append("sizeName: \(sizeName.map(Literal.string) ?? "nil")")
        return "Paging.\(style)(\(items.joined(separator: ", ")))"
    }
}

/// How a list is asked for page by page.
struct PagedOutput: Sendable {
    /// `Paging.number(name: "page", sizeName: "size")`
    let expression: String
    /// The parameters that the list itself sends.
    let parameters: Set<String>
    /// The items of a page that is an array; `nil` where a model is the page.
    var arrayItem: SwiftType?
}
