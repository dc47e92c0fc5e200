import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// `allOf` is an intersection: all parts hold together.
final class AllOfTests: XCTestCase {
    private func assertContains(
        _ text: String, _ parts: String..., file: StaticString = #filePath, line: UInt = #line
    ) {
        for part in parts {
            XCTAssertTrue(text.contains(part), "There is no \(part) in:\n\(text)", file: file, line: line)
        }
    }

    /// As Matrix describes its events.
    func testPropertiesOfTheSameNameAreMerged() throws {
        let schemas = ##"""
            {"Event": {"type": "object", "properties": {"unsigned": {"type": "object", "properties": {
                "age": {"type": "integer"}, "redacted": {}}}}},
             "StateEvent": {"allOf": [{"$ref": "#/components/schemas/Event"}, {"type": "object", "properties": {
                "unsigned": {"type": "object", "required": ["age"], "properties": {"redacted": {"type": "string"},
                    "previous": {"type": "integer"}}}}}]}}
            """##
        let text = try model("StateEvent", schemas)
        assertContains(
            text, "public var unsigned: Unsigned?", "public var age: Int\n", "public var redacted: String?",
            "public var previous: Int?")
        assertContains(try model("Event", schemas), "public var age: Int?", "public var redacted: JSONValue?")
    }

    func testAPartThatOnlyLimitsKeepsTheType() throws {
        let pet = ##"{"$ref": "#/components/schemas/Pet"}"##
        let text = try model(
            "A",
            ##"""
            {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}},
             "B": {"type": "object", "properties": {"count": {"type": "integer"}, "names": {"type": "array",
                "items": {"type": "string"}}, "pet": \##(pet), "note": {"type": "string"}}},
             "A": {"allOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"count": {"minimum": 3},
                "names": {"minItems": 1, "maxItems": 4}, "pet": {"description": "The pet."},
                "note": {"nullable": true}, "own": {"allOf": [\##(pet), {"minProperties": 1}]}},
                "required": ["count", "names", "pet", "note"]}]}}
            """##)
        assertContains(
            text, "public var count: Int\n", "Valid: at least 3.", "public var names: [String]\n",
            "Valid: 1 to 4 elements.", "public var pet: Pet\n", "/// The pet.", "public var note: String?",
            "public var own: Pet?")
    }

    func testValuesBoundsAndFormatsAreTheStricter() throws {
        let text = try model(
            "A",
            ##"""
            {"A": {"type": "object", "properties": {
                "color": {"allOf": [{"type": "string", "enum": ["red", "green", "blue"]}, {"enum": ["blue", "red"]}]},
                "size": {"allOf": [{"type": "number", "minimum": 1, "maximum": 9}, {"type": "integer",
                    "minimum": 2, "maximum": 10, "format": "int64"}]},
                "at": {"allOf": [{"type": "string"}, {"format": "date-time"}]},
                "kinds": {"allOf": [{"type": "array", "items": {"type": "number"}}, {"items": {"type": "integer"}}]},
                "more": {"allOf": [{"type": "object", "additionalProperties": {"type": "number"}},
                    {"additionalProperties": {"type": "integer"}}]}}}}
            """##)
        assertContains(
            text, "static let red", "static let blue", "public var size: Int64?", "Valid: 2 to 9.",
            "public var at: Date?", "public var kinds: [Int]?", "public var more: [String: Int]?")
        XCTAssertFalse(text.contains("green"))
    }

    /// drf-spectacular writes a reference that may be null in this way.
    func testAReferenceBesideAnOptionalTypeIsNoCopy() throws {
        let text = try model(
            "A",
            ##"""
            {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}},
             "A": {"type": "object", "required": ["pet", "other"], "properties": {
                "pet": {"allOf": [{"$ref": "#/components/schemas/Pet"}], "type": ["object", "null"]},
                "other": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"nullable": true}]}}}}
            """##)
        assertContains(text, "public var pet: Pet?", "public var other: Pet?")
        XCTAssertFalse(text.contains("struct Pet"), text)
    }

    /// As Elastic describes its queries: the place of the reference is read before the schema itself.
    func testAReferenceToAMergedSchemaIsNoCopy() throws {
        let merged = ##"{"$ref": "#/components/schemas/Merged"}"##
        let schemas = ##"""
            {"Base": {"type": "object", "properties": {"id": {"type": "integer"}}},
             "Merged": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object",
                "properties": {"name": {"type": "string"}}}]},
             "A": {"type": "object", "properties": {
                "described": {"description": "One.", "externalDocs": {"url": "https://example.com"},
                    "allOf": [\##(merged)]},
                "limited": {"allOf": [\##(merged), {"type": "object", "minProperties": 1}]},
                "wider": {"allOf": [\##(merged), {"properties": {"more": {"type": "string"}}}]}}}}
            """##
        let text = try model("A", schemas)
        assertContains(
            text, "public var described: Merged?", "public var limited: Merged?", "public var wider: Wider?",
            "struct Wider")
        for word in ["Described", "Limited"] { XCTAssertFalse(text.contains("struct \(word)"), text) }
    }

    /// Elastic's bases are objects without properties.
    func testASchemaOfWhichOnePartSaysEverythingKeepsItsName() throws {
        let schemas = ##"""
            {"Base": {"type": "object"},
             "Terms": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"allOf": [{"type": "object",
                "properties": {"name": {"type": "string"}}}]}]},
             "A": {"type": "object", "properties": {
                "described": {"allOf": [{"$ref": "#/components/schemas/Terms"}], "description": "One."},
                "plain": {"$ref": "#/components/schemas/Terms"}}}}
            """##
        assertContains(
            try model("A", schemas), "public var described: Terms?", "public var plain: Terms?")
        assertContains(try model("Terms", schemas), "public var name: String?")
    }

    func testSchemasBesideAReferenceHoldToo() throws {
        let text = try model(
            "A",
            ##"""
            {"Base": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}},
             "A": {"$ref": "#/components/schemas/Base", "required": ["name"], "properties": {"id": {"minimum": 1}}}}
            """##)
        assertContains(text, "public var id: Int?", "public var name: String\n", "Valid: at least 1.")
    }

    /// The merged children of a tree are the merged tree.
    func testASchemaThatContainsItselfIsOneModel() throws {
        let schemas = ##"""
            {"Base": {"type": "object", "properties": {"child": {"$ref": "#/components/schemas/Base"}}},
             "Tree": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object", "properties": {
                "child": {"$ref": "#/components/schemas/Tree"}, "size": {"type": "integer"}}}]}}
            """##
        let text = try model("Tree", schemas)
        assertContains(text, "public var child: Tree?", "public var size: Int?")
        XCTAssertFalse(text.contains("struct Child"), text)
    }

    func testContradictionsAreReportedWithBothPlaces() throws {
        let schemas = ##"""
            {"A": {"allOf": [{"type": "object", "properties": {"x": {"type": "string"}, "y": {"enum": ["a"]}}},
                {"properties": {"x": {"type": "integer"}, "y": {"enum": ["b"]}}}]}}
            """##
        let generation = try generate(#""components": {"schemas": \#(schemas)}"#)
        let parts = "openapi.json#/components/schemas/A/allOf/"
        let notes = generation.notes.map { "\($0.place) \($0.text)" }
        for (name, keyword) in [("x", "type"), ("y", "enum")] {
            let (first, second) = (
                "\(parts)0/properties/\(name)/\(keyword)", "\(parts)1/properties/\(name)/\(keyword)"
            )
            XCTAssertTrue(
                notes.contains(
                    "\(first) contradicts \(second): no value is valid for both. It is JSONValue."),
                "\(notes)")
        }
        assertContains(try model("A", schemas), "public var x: JSONValue?", "public var y: JSONValue?")
    }

    #if os(macOS) || os(Linux)
        /// What jsonschema of PyPI accepts is read and written again without loss.
        func testRandomPartsLoseNothing() throws {
            var cases: [(seed: UInt64, reader: ModelReader, question: JSONSchemaJudge.Question)] = []
            for seed in 0..<UInt64(FullLength.rounds(150, of: 3_000)) {
                var random = RandomSchemas(seed: seed)
                let shape = random.object(depth: 3)
                let schema = random.schema(shape, depth: 4)
                let documents = (0..<6).map { _ in random.value(shape) }
                let reader = try ModelReader(random.components, root: schema)
                guard case .object(var members) = schema else { continue }
                members["components"] = ["schemas": .object(random.components)]
                cases.append(
                    (seed, reader, JSONSchemaJudge.Question(schema: .object(members), documents: documents)))
            }
            var count = 0
            for (one, verdicts) in zip(cases, try JSONSchemaJudge.verdicts(cases.map(\.question))) {
                for (document, isValid) in zip(one.question.documents, verdicts) where isValid {
                    count += 1
                    XCTAssertEqual(
                        one.reader.copy(document)?.withoutNulls.canonicalText,
                        document.withoutNulls.canonicalText,
                        "seed \(one.seed): \(one.question.schema.canonicalText)")
                }
            }
            XCTAssertGreaterThan(count, cases.count)
        }
    #endif
}
