import DiscreteNetworkingContracts
import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// The nightly command: what it calls, with what, and the contracts that a description gives.
final class ContractTests: XCTestCase {
    private static let schemas = #"""
        "components": {"schemas": {
        "Book": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"},
            "isbn-13": {"type": "string"}, "shelf": {"$ref": "#/components/schemas/Shelf"},
            "tags": {"type": "object", "additionalProperties": {"type": "string"}}, "extra": {},
            "part": {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Shelf"}]}}},
        "Shelf": {"type": "object", "properties": {"key": {"type": "string"},
            "inner": {"$ref": "#/components/schemas/Shelf"}, "state": {"type": "string", "enum": ["full", "free"]}}},
        "Page": {"type": "object", "properties": {"total": {"type": "integer"},
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}}}}}
        """#

    private typealias Endpoint = (method: String, path: String, schema: String, params: String)

    /// What comes of endpoints, each answered with a schema.
    private func generation(_ endpoints: [Endpoint]) throws -> Generation {
        let paths = Dictionary(grouping: endpoints, by: \.path).sorted { $0.key < $1.key }
        let members = paths.map { path, endpoints in
            #""\#(path)": {\#(endpoints.map(operation).joined(separator: ","))}"#
        }
        return try generate(Self.schemas, paths: "{\(members.joined(separator: ","))}")
    }

    private func operation(_ endpoint: Endpoint) -> String {
        let names = endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            $0.dropFirst().dropLast()
        }
        var params = names.map {
            #"{"name": "\#($0)", "in": "path", "required": true, "schema": {"type": "string"}}"#
        }
        if !endpoint.params.isEmpty { params.append(endpoint.params) }
        let content = #"{"application/json": {"schema": \#(endpoint.schema)}}"#
        let responses = #"{"200": {"description": "", "content": \#(content)}}"#
        return
            #""\#(endpoint.method)": {"parameters": [\#(params.joined(separator: ","))], "responses": \#(responses)}"#
    }

    private func text(_ path: String, of generation: Generation) throws -> String {
        try XCTUnwrap(generation.files.first { $0.path == "ShopAPIContracts/\(path)" }, path).text
    }

    private func list(_ name: String) -> String { #"{"type": "array", "items": \#(reference(name))}"# }

    func testEveryJSONResponseIsCheckedWithArgumentsFromLists() throws {
        let generation = try self.generation([
            ("get", "/shelves", list("Shelf"), ""), ("get", "/shelves/{shelf_key}", reference("Shelf"), ""),
            ("get", "/shelves/{shelf_key}/books", reference("Page"), ""),
            ("get", "/shelves/{shelf_key}/books/{bookId}/cover", reference("Shelf"), ""),
            ("get", "/books/isbn-13/{isbn-13}", reference("Book"), ""),
            ("post", "/books/filter", list("Book"), ""),
            ("post", "/books/count", #"{"type": "integer"}"#, ""), ("post", "/books", reference("Book"), ""),
            ("get", "/secret/{code}", reference("Book"), ""),
            (
                "get", "/search", list("Book"),
                #"{"name": "q", "in": "query", "required": true, "schema": {"type": "string", "example": "tea"}}"#
            ), ("delete", "/books/{id}", reference("Book"), ""),
        ])
        let lines = try text("Contracts.swift", of: generation).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }.filter { $0.hasPrefix("add(") }
        XCTAssertEqual(
            Set(lines),
            [
                "add(GetShelvesManager())",
                #"add(GetShelvesByShelfKeyManager(), .first(["shelf_key": "0.key"], of: "GetShelvesManager"))"#,
                #"add(GetShelvesByShelfKeyBooksManager(), .first(["shelf_key": "0.key"], of: "GetShelvesManager"))"#,
                #"add(GetShelvesByShelfKeyBooksByBookIDCoverManager(), .first(["bookId": "items.0.id"], of: "GetShelvesByShelfKeyBooksManager"))"#,
                #"add(GetBooksIsbn13ByIsbn13Manager(), .first(["isbn-13": "0.isbn-13"], of: "PostBooksFilterManager"))"#,
                "add(PostBooksFilterManager(), .optional)", "add(PostBooksCountManager(), .optional)",
                #"add(GetSecretByCodeManager(), .needed("code"))"#,
                #"add(GetSearchManager(), .params(["q": "tea"]))"#,
            ])
        let arguments = try text("ContractArguments.swift", of: generation)
        for line in [
            #"    // ("GetSecretByCodeManager", .params(["code": …])),"#,
            #"    // If it only reads: ("PostBooksFilterManager", .params()),"#,
            "func prepareContracts(_ proxy: ApiProxy) async throws {}",
        ] {
            XCTAssertTrue(arguments.contains(line), "\(line) in \(arguments)")
        }
        XCTAssertEqual(
            generation.files.first { $0.path.hasSuffix("ContractArguments.swift") }?.isWrittenOnce, true)
    }

    private static let shapes = ##"""
        "components": {"schemas": {
        "Circle": {"type": "object", "required": ["kind", "size"], "properties": {"kind": {"type": "string",
            "enum": ["circle"]}, "size": {"type": "number"}, "inner": {"$ref": "#/components/schemas/Shape"}}},
        "Square": {"type": "object", "required": ["kind", "size"], "properties": {"kind": {"type": "string"},
            "size": {"type": "string", "format": "uuid"}, "note": {"type": ["string", "null"]}}},
        "Free": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}},
            "additionalProperties": true},
        "Shape": {"oneOf": [{"$ref": "#/components/schemas/Circle"}, {"$ref": "#/components/schemas/Square"}],
            "discriminator": {"propertyName": "kind"}},
        "Any": {"anyOf": [{"$ref": "#/components/schemas/Shape"}, {"$ref": "#/components/schemas/Free"},
            {"type": "array", "items": {"type": "integer"}}, {"type": "string"}]},
        "Page": {"type": "object", "required": ["shape"], "properties": {
            "shape": {"$ref": "#/components/schemas/Shape"}, "any": {"$ref": "#/components/schemas/Any"},
            "list": {"type": "array", "items": {"$ref": "#/components/schemas/Shape"}}}}}}
        """##

    private func shapeContract() throws -> ContractFile {
        let content = #"{"application/json": {"schema": \#(reference("Page"))}}"#
        let generation = try generate(
            Self.shapes,
            paths:
                #"{"/page": {"get": {"operationId": "page", "responses": {"200": {"description": "", "content": \#(content)}}}}}"#
        )
        return try ContractFile(parsing: Data(text("Contracts/PageManager.json", of: generation).utf8))
    }

    func testAContractHasTheFieldsOfAllAlternatives() throws {
        let fields = try shapeContract().contract.fields
        XCTAssertEqual(fields["shape"], .init([.object]))
        XCTAssertEqual(fields["shape.kind"], .init([.string], values: .listed(["circle", "Square"])))
        XCTAssertEqual(fields["shape.size"], .init([.number, .string], format: .uuid))
        XCTAssertEqual(fields["shape.note"], .init([.string, .null], isOptional: true))
        XCTAssertEqual(fields["shape.inner"], .init([.object], isOptional: true, isOpen: true))
        XCTAssertNil(fields["shape.inner.kind"], "a union in itself is described once")
        XCTAssertEqual(fields["list[].kind"], fields["shape.kind"])
        XCTAssertEqual(fields["any"]?.isOpen, true)
        XCTAssertEqual(fields["any[]"], .init([.integer]))
        XCTAssertEqual(fields["any.kind"]?.types, [.string])
        XCTAssertEqual(fields["any.size"]?.isOptional, true)
    }

    func testAnUnknownOrMissingDiscriminatorIsAChange() throws {
        let contract = try shapeContract().contract
        func drifts(_ shape: String, _ list: String = "[]") throws -> [String] {
            let json = try JSONValue(parsing: #"{"shape": \#(shape), "list": \#(list)}"#)
            return contract.compare(json).map(\.description)
        }
        let circle = #"{"kind": "circle", "size": 1.5}"#
        XCTAssertEqual(try drifts(circle, "[\(circle)]"), [])
        XCTAssertEqual(
            try drifts(#"{"kind": "hexagon", "size": 1}"#), [#"warning shape.kind: new enum value "hexagon""#]
        )
        XCTAssertEqual(try drifts(#"{"size": 1}"#), ["warning shape.kind: removed (was string)"])
        XCTAssertEqual(
            try drifts(circle, #"[\#(circle), {"size": 1}]"#),
            ["warning list[].kind: missing in some objects, was in all"])
        XCTAssertEqual(
            try drifts(#"{"kind": "circle", "size": true}"#),
            ["warning shape.size: type changed from string or number to boolean"])
    }

    func testAContractSaysWhatTheDescriptionLeavesOpen() throws {
        let generation = try self.generation([("get", "/book", reference("Book"), "")])
        let file = try text("Contracts/GetBookManager.json", of: generation)
        for line in [
            #""origin": "description""#,
            #""tags": {"open": true, "optional": true, "types": ["object"]}"#,
            #""extra": {"open": true, "optional": true, "types": ["array", "boolean", "null", "number", "object", "string"]}"#,
            #""part": {"optional": true, "types": ["object", "string"]}"#,
            #""part.key": {"optional": true, "types": ["string"]}"#,
            #""shelf.inner": {"open": true, "optional": true, "types": ["object"]}"#,
            #""shelf.state": {"optional": true, "types": ["string"], "values": ["free", "full"]}"#,
        ] {
            XCTAssertTrue(file.contains(line), "\(line) in \(file)")
        }
        XCTAssertFalse(file.contains("inner.inner"))
    }
}
