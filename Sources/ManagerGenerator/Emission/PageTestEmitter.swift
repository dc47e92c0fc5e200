import DiscreteNetworkingJSON

/// Writes a test for each model that is a page: what its list reads of a response that says how it goes on.
struct PageTestEmitter {
    let names: TypeNames
    let module: String
    let samples: [(page: PageConformance, value: JSONValue, expected: String)]

    init(names: TypeNames, module: String, pages: [PageConformance], sampler: SchemaSampler) {
        self.names = names
        self.module = module
        samples = pages.compactMap { page in
            guard let schema = page.schema, case .object(var members)? = sampler.value(schema),
                let items = members[page.items.wireName]?.array
            else { return nil }
            func put(_ fact: PageFact?, _ value: JSONValue) -> Bool {
                guard let fact, !fact.path.isEmpty else { return false }
                members = Self.members(members, fact.path[...], value, sampler)
                return true
            }
            let total = put(page.total, 41) ? "41" : "nil"
            // A page that is computed from others is not known here.
            guard page.hasMore == nil || page.hasMore?.path.isEmpty == false else { return nil }
            let hasMore = put(page.hasMore, true) ? "true" : "nil"
            var cursor = put(page.nextCursor, "next") ? "next" : "nil"
            if let id = page.itemID {
                guard let last = items.last?.object?[id.wireName] else { return nil }
                cursor = last.string ?? last.canonicalText
            }
            return (
                page, .object(members),
                "\(items.count) items, total \(total), more \(hasMore), next \(cursor)"
            )
        }
    }

    /// Members with a value at the end of a path; objects on the way are made from their schemas.
    private static func members(
        _ members: [String: JSONValue], _ path: ArraySlice<Structure.Property>, _ value: JSONValue,
        _ sampler: SchemaSampler
    ) -> [String: JSONValue] {
        guard let first = path.first else { return members }
        var members = members
        if path.count == 1 {
            members[first.wireName] = value
        } else {
            let inner = members[first.wireName]?.object ?? sampler.value(first.schema)?.object ?? [:]
            members[first.wireName] = .object(Self.members(inner, path.dropFirst(), value, sampler))
        }
        return members
    }

    func emit(to source: inout Source) {
        source.add("import DiscreteNetworking")
        source.add("import Foundation")
        source.add("import XCTest")
        source.space()
        source.add("@testable import \(module)")
        source.space()
        source.documentation("What the lists read of pages that are made from the description.")
        source.block("final class PageTests: XCTestCase") { source in
            for sample in samples {
                let model = names.models[sample.page.model]
                source.space()
                source.block("func test\(model.path.joined(separator: "_"))() throws") { source in
                    source.list(
                        "let page: \(model.qualifiedName) = try decoded(",
                        [Literal.raw(sample.value.canonicalText)], ")")
                    source.add("XCTAssertEqual(pageText(page), \(Literal.string(sample.expected)))")
                }
            }
        }
    }

    static func emitSupport(to source: inout Source) {
        source.documentation("What a list reads of a page, by the requirements of `APIPage`.")
        source.block("func pageText(_ page: some APIPage) -> String") { source in
            for (name, member, type) in [
                ("total", "total", "any BinaryInteger"), ("hasMore", "hasMore", "Bool"),
                ("next", "nextCursor", "String"),
            ] {
                source.add("let \(name) = (page.\(member) as? \(type)).map { \"\\($0)\" } ?? \"nil\"")
            }
            source.add(
                "return \"\\(page.items.count) items, total \\(total), more \\(hasMore), next \\(next)\"")
        }
    }
}
