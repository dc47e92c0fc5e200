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
            var arrayItem: SwiftType?
            if let item = self.arrayItem(operation, pattern) {
                arrayItem = item
            } else if let page = page(operation, pattern) {
                // Lists with one model may be asked for in different ways, and one of them needs its cursor.
                if pages[page.model]?.nextCursor == nil { pages[page.model] = page }
            } else {
                continue
            }
            let size = operation.parameters.first { $0.wireName == pattern.sizeName }?.schema["default"]?
                .value.int
            outputs[operation.managerName] = PagedOutput(
                expression: pattern.expression(size: size.map(String.init)),
                parameters: Set([pattern.name, pattern.sizeName].compactMap(\.self)), arrayItem: arrayItem)
        }
        return (outputs, pages.sorted { $0.key < $1.key }.map(\.value))
    }

    /// The items of a response that is an array, where something says which page is the last.
    private func arrayItem(_ operation: Operation, _ pattern: PagingPattern) -> SwiftType? {
        guard case .model(let type) = operation.output.kind,
            case .array(let item) = names.resolved(type)
        else { return nil }
        return operation.output.hasLink || (pattern.style != "cursor" && pattern.sizeName != nil) ? item : nil
    }

    private func page(_ operation: Operation, _ pattern: PagingPattern) -> PageConformance? {
        let reader = PageReader(names: names)
        guard case .model(let type) = operation.output.kind,
            case .model(let index) = names.resolved(type),
            case .structure(let structure) = names.models[index].kind,
            let page = reader.page(index, structure, operation.output.schema)
        else {
            report.add(
                "takes a page, but its response does not have exactly one array of items; it is not a PagedAPIManager.",
                at: operation.place)
            return nil
        }
        if let name = reader.misfit(structure) {
            report.add(
                "takes a page, but the \(name) of its response has another type than a page has; it is not a PagedAPIManager.",
                at: operation.place)
            return nil
        }
        guard pattern.style == "cursor", page.nextCursor == nil else { return page }
        let name = pattern.name.lowercased()
        if ["after", "last", "since"].contains(where: name.contains), let page = reader.lastItem(page) {
            return page
        }
        report.add(
            "takes a cursor, but its response has none; it is not a PagedAPIManager.", at: operation.place)
        return nil
    }
}
