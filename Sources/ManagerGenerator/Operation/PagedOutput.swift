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
        let nameLabel = style == "number" ? "sizeName" : "limitName"
        let sizeLabel = style == "number" ? "size" : "limit"
        var items = size.map { ["\(sizeLabel): \($0)"] } ?? []
        items.append("name: \(Literal.string(name))")
        items.append("\(nameLabel): \(sizeName.map(Literal.string) ?? "nil")")
        return "Paging.\(style)(\(items.joined(separator: ", ")))"
    }
}

/// How a list is asked for page by page.
struct PagedOutput: Sendable {
    /// `Paging.number(name: "page", sizeName: "size")`
    let expression: String
    /// The parameters that the list itself sends.
    let parameters: Set<String>
}

/// A model that is a page of a list.
struct PageConformance: Sendable {
    let model: Int
    /// The property with the items, and those that say how it goes on.
    let items: String
    let itemType: SwiftType
    let total: String?
    let hasMore: String?
    let nextCursor: String?

    func emit(_ names: TypeNames, to source: inout Source) {
        source.space()
        source.block("nonisolated extension \(names.models[model].qualifiedName): APIPage") { source in
            if items != "items" { source.add("public var items: [\(names.name(itemType))] { \(items) }") }
            if let total, total != "total" { source.add("public var total: Int? { \(total) }") }
            if let hasMore, hasMore != "hasMore" { source.add("public var hasMore: Bool? { \(hasMore) }") }
            if let nextCursor, nextCursor != "nextCursor" {
                source.add("public var nextCursor: String? { \(nextCursor) }")
            }
        }
    }
}

/// Finds the operations that return pages.
struct PageFinder {
    let patterns: [PagingPattern]
    let names: TypeNames
    let report: Report

    func find(_ operations: [Operation]) -> (outputs: [String: PagedOutput], pages: [PageConformance]) {
        var outputs: [String: PagedOutput] = [:]
        var pages: [Int: PageConformance] = [:]
        for operation in operations {
            guard let pattern = patterns.first(where: { $0.matches(operation) }) else { continue }
            guard case .model(let type) = operation.output.kind,
                case .model(let index) = names.resolved(type),
                case .structure(let structure) = names.models[index].kind, let page = page(index, structure)
            else {
                report.add(
                    "takes a page, but its answer has no one array of items; it is no PagedAPIManager.",
                    at: operation.place)
                continue
            }
            pages[index] = page
            let size = operation.parameters.first { $0.wireName == pattern.sizeName }?.schema["default"]?
                .value.int
            outputs[operation.managerName] = PagedOutput(
                expression: pattern.expression(size: size.map(String.init)),
                parameters: Set([pattern.name, pattern.sizeName].compactMap(\.self)))
        }
        return (outputs, pages.sorted { $0.key < $1.key }.map(\.value))
    }

    private func page(_ index: Int, _ structure: Structure) -> PageConformance? {
        let lists = structure.properties.filter { property in
            if case .array = names.resolved(property.type), property.isRequired { return true }
            return false
        }
        let usual = ["items", "data", "results", "content", "records", "list"]
        guard
            let list = lists.first(where: { usual.contains($0.wireName) })
                ?? (lists.count == 1 ? lists[0] : nil),
            case .array(let element) = names.resolved(list.type)
        else { return nil }
        func pageOfPages(_ structure: Structure) -> String? {
            let required = structure.properties.filter { $0.isRequired && names.resolved($0.type) == .int }
                .map(\.name)
            guard required.contains("page"),
                let count = ["pageCount", "totalPages", "pages"].first(where: required.contains)
            else { return nil }
            return "page < \(count)"
        }
        func named(_ candidates: [String], _ type: SwiftType) -> String? {
            structure.properties.first { property in
                candidates.contains(property.name)
                    && names.resolved(names.resolved(property.type).wrapped) == type
            }?.name
        }
        return PageConformance(
            model: index, items: list.name, itemType: element,
            total: named(["total", "totalCount", "count", "totalItems", "totalElements"], .int),
            hasMore: named(["hasMore", "hasNext", "more"], .bool) ?? pageOfPages(structure),
            nextCursor: named(["nextCursor", "next", "cursor", "nextPageToken"], .string))
    }
}
