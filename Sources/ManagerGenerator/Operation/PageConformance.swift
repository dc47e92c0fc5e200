import DiscreteNetworkingJSON

/// A member of ``APIPage`` that a model has under another name, or deeper.
struct PageFact: Sendable {
    /// What the member is in Swift: `meta?.nextCursor`.
    let expression: String
    /// `Int?`
    let type: String
    /// The properties that lead to it; none where it is computed.
    var path: [Structure.Property] = []
}

/// A model that is a page of a list.
struct PageConformance: Sendable {
    let model: Int
    let schema: Node?
    /// The property with the items, and those that say how it goes on.
    let items: Structure.Property
    let itemType: SwiftType
    let total: PageFact?
    let hasMore: PageFact?
    var nextCursor: PageFact?
    /// The id of an item, where the last one is the cursor.
    var itemID: Structure.Property?

    func emit(_ names: TypeNames, to source: inout Source) {
        source.space()
        source.block("nonisolated extension \(names.models[model].qualifiedName): APIPage") { source in
            let name = SwiftName.escaped(items.name)
            if name != "items" { source.add("public var items: [\(names.name(itemType))] { \(name) }") }
            for (name, fact) in [("total", total), ("hasMore", hasMore), ("nextCursor", nextCursor)] {
                guard let fact, fact.expression != name else { continue }
                source.add("public var \(name): \(fact.type) { \(fact.expression) }")
            }
        }
    }
}

/// Reads which of a model's properties say how a list goes on.
struct PageReader {
    let names: TypeNames

    /// - Returns: The page; `nil` where the model has no one array of items.
    func page(_ index: Int, _ structure: Structure, _ schema: Node?) -> PageConformance? {
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
        func named(_ candidates: [String], _ types: [SwiftType]) -> PageFact? {
            fact(candidates, types, index, path: [])
        }
        let hasMore = named(["hasMore", "hasNext", "hasNextPage", "more"], [.bool])
        return PageConformance(
            model: index, schema: schema, items: list, itemType: element,
            total: named(
                ["total", "totalCount", "count", "totalItems", "totalElements", "totalResults"],
                [.int, .int64]),
            hasMore: hasMore ?? pageOfPages(structure),
            nextCursor: named(
                ["nextCursor", "next", "nextPageToken", "cursor", "endCursor", "nextMarker", "after"]
                    + (hasMore == nil ? [] : ["lastID"]), [.string]))
    }

    /// The name of a property that a page reads, and that has a type which no page reads.
    func misfit(_ structure: Structure) -> String? {
        let types: [String: [SwiftType]] = [
            "total": [.int, .int64], "hasMore": [.bool], "nextCursor": [.string], "previousCursor": [.string],
        ]
        return structure.properties.first { property in
            types[property.name].map { !$0.contains(inner(property.type)) } ?? false
        }?.name
    }

    /// The id of the last item as a cursor, as in `?starting_after=…`.
    func lastItem(_ page: PageConformance) -> PageConformance? {
        guard let hasMore = page.hasMore, case .model(let index) = names.resolved(page.itemType),
            case .structure(let structure) = names.models[index].kind,
            let id = structure.properties.first(where: { $0.name == "id" }),
            !emitted(id, in: index).isOptional
        else { return nil }
        let last = "\(SwiftName.escaped(page.items.name)).last"
        let value: String
        switch names.resolved(id.type) {
        case .string: value = "\(last)?.id"
        case .int, .int64: value = "\(last).map { String($0.id) }"
        case .uuid: value = "\(last)?.id.uuidString.lowercased()"
        default: return nil
        }
        var page = page
        let isMore = hasMore.type == "Bool" ? hasMore.expression : "\(hasMore.expression) == true"
        page.nextCursor = PageFact(expression: "\(isMore) ? \(value) : nil", type: "String?")
        page.itemID = id
        return page
    }

    private func pageOfPages(_ structure: Structure) -> PageFact? {
        let required = structure.properties.filter { $0.isRequired && names.resolved($0.type) == .int }
            .map(\.name)
        guard required.contains("page"),
            let count = ["pageCount", "totalPages", "pages"].first(where: required.contains)
        else { return nil }
        return PageFact(expression: "page < \(count)", type: "Bool")
    }

    // MARK: Properties

    private func inner(_ type: SwiftType) -> SwiftType { names.resolved(names.resolved(type).wrapped) }

    /// The type of a property as it is written.
    private func emitted(_ property: Structure.Property, in index: Int) -> SwiftType {
        let model = names.models[index]
        let isOmitted =
            !property.isRequired || (property.isReadOnly && model.isSent)
            || (property.isWriteOnly && model.isReceived)
        return names.resolved(isOmitted ? property.type.orOmitted : property.type)
    }

    /// A property of one of these names, of the model itself or of an object in it.
    private func fact(
        _ candidates: [String], _ types: [SwiftType], _ index: Int, path: [(Structure.Property, Bool)]
    ) -> PageFact? {
        guard case .structure(let structure) = names.models[index].kind else { return nil }
        for candidate in candidates {
            guard
                let property = structure.properties.first(where: {
                    $0.name == candidate && types.contains(inner($0.type))
                })
            else { continue }
            let isOptional = emitted(property, in: index).isOptional
            let chain = path.map { SwiftName.escaped($0.0.name) + ($0.1 ? "?" : "") }
            let type = names.name(inner(property.type))
            return PageFact(
                expression: (chain + [SwiftName.escaped(property.name)]).joined(separator: "."),
                type: isOptional || path.contains { $0.1 } ? type + "?" : type,
                path: path.map(\.0) + [property])
        }
        guard path.count < 2 else { return nil }
        for property in structure.properties {
            guard case .model(let next) = inner(property.type), next != index else { continue }
            let step = (property, emitted(property, in: index).isOptional)
            if let fact = fact(candidates, types, next, path: path + [step]) { return fact }
        }
        return nil
    }
}
