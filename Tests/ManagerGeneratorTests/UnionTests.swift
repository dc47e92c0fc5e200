import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Unions keep every value, and choose an alternative that the value is.
final class UnionTests: XCTestCase {
    private func notes(_ schemas: String) throws -> [String] {
        try generate(#""components": {"schemas": \#(schemas)}"#).notes.map { "\($0.place) \($0.text)" }
    }

    /// As Elastic describes aggregates: the required value may be null.
    func testARequiredPropertyThatMayBeNullTellsAlternativesApart() throws {
        let schemas = ##"""
            {"Value": {"type": "object", "required": ["value"], "properties": {"value": {"type": ["number", "null"]},
                "meta": {"type": "object"}}},
             "Buckets": {"type": "object", "required": ["buckets"], "properties": {"buckets": {"type": "array",
                "items": {"type": "integer"}}}},
             "A": {"type": "object", "properties": {"aggregate": {"anyOf": [{"$ref": "#/components/schemas/Value"},
                {"$ref": "#/components/schemas/Buckets"}]}}}}
            """##
        let value = try model("Value", schemas)
        XCTAssertTrue(value.contains(#"try members.encode(value, as: "value")"#), value)
        XCTAssertTrue(value.contains(#"try members.encodeIfPresent(meta, as: "meta")"#), value)
        XCTAssertEqual(try notes(schemas).filter { $0.contains("reads") }, [])
        let union: JSONValue = [
            "anyOf": [["$ref": "#/components/schemas/Value"], ["$ref": "#/components/schemas/Buckets"]]
        ]
        let components = try XCTUnwrap(JSONValue(parsing: schemas).object)
        let reader = try ModelReader(components, root: union)
        for document: JSONValue in [
            ["buckets": [1, 2]], ["value": nil], ["value": 1, "meta": [:]], ["meta": [:]],
        ] {
            XCTAssertEqual(reader.copy(document), document)
        }
        XCTAssertEqual(reader.chosen(["buckets": []]), reader.alternatives[1])
        XCTAssertEqual(reader.chosen(["meta": [:]]), .some(nil))
    }

    func testAlternativesThatNothingTellsApartAreReportedWithADocument() throws {
        func alternatives(_ first: String, _ second: String) throws -> [String] {
            try notes(
                #"{"A": {"oneOf": [{"title": "One", "type": "object", \#(first)}, {"title": "Two", "type": "object", \#(second)}]}}"#
            ).filter { $0.contains("reads") }
        }
        let one = #""properties": {"a": {"type": "string"}}"#
        XCTAssertEqual(
            try alternatives(one, one),
            [
                #"openapi.json#/components/schemas/A reads two as one: both accept {"a":"text"}."#
            ])
        for two in [
            #""properties": {"a": {"type": "string"}, "b": {"type": "string"}}"#,
            #""properties": {"b": {"type": "string"}}"#,
            #""required": ["b"], "properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}}"#,
            #""properties": {"a": {"type": "integer"}}"#, #""additionalProperties": {"type": "string"}"#,
        ] {
            XCTAssertEqual(try alternatives(one, two), [], two)
        }
    }

    /// A schema that accepts only members that it describes.
    private static func closed(_ schema: JSONValue, withLimits: Bool) -> JSONValue {
        switch schema {
        case .object(let members):
            var kept: [String: JSONValue] = [:]
            for (name, value) in members
            where withLimits || !MergedSchema.bounds.contains(name) && name != "enum" {
                kept[!withLimits && name == "oneOf" ? "anyOf" : name] = closed(value, withLimits: withLimits)
            }
            if kept["properties"] != nil, kept["additionalProperties"] == nil {
                kept["additionalProperties"] = false
            }
            return .object(kept)
        case .array(let elements): return .array(elements.map { closed($0, withLimits: withLimits) })
        default: return schema
        }
    }

    #if os(Linux)
        /// Generated code in one module reads and writes random values as these tests work it out.
        func testCompiledUnionsKeepRandomValues() throws {
            try FullLength.require()
            var components: [String: JSONValue] = [:]
            var documents: [String: [JSONValue]] = [:]
            var expected: [String: [JSONValue]] = [:]
            for seed in 0..<UInt64(24) {
                var random = RandomSchemas(seed: seed, prefix: "U\(seed)")
                let shape = random.union(depth: 2)
                let schema = random.schema(shape, depth: 0)
                let reader = try ModelReader(random.components, root: schema)
                let values = (0..<10).map { _ in random.value(shape) }
                let copies = values.map { reader.copy($0) ?? "not read" }
                components.merge(random.components) { $1 }
                components["U\(seed)Root"] = schema
                (documents["U\(seed)Root"], expected["U\(seed)Root"]) = (values, copies)
            }
            let generation = try generate(
                #""components": {"schemas": \#(JSONValue.object(components).canonicalText)}"#)
            let models = generation.files.filter { $0.path.hasPrefix("ShopAPI/Models/") }
            let roots = documents.keys.sorted().filter { generation.model($0) != nil }
            XCTAssertGreaterThan(roots.count, 15)
            let main = """
                import DiscreteNetworkingJSON
                import Foundation

                // Of the core, which the program does without.
                protocol ParamValueConvertible {}

                let documents = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
                func copies<Value: Codable>(_ name: String, as type: Value.Type) -> JSONValue {
                    let decoder = FastJSONDecoder(JSONValue.makeDecoder())
                    return .array((documents[name]?.array ?? []).map { document in
                        guard let value = try? decoder.decode(type, from: document.canonicalData),
                            let copy = try? JSONValue(encoding: value) else { return "not read" }
                        return copy
                    })
                }
                let all: [String: JSONValue] = [
                \(roots.map { "\"\($0)\": copies(\"\($0)\", as: \($0).self)," }.joined(separator: "\n"))
                ]
                print(JSONValue.object(all).canonicalText)
                """
            let text = try TypeCheck().output(
                of: models.map { ($0.path, $0.text) } + [("main.swift", main)],
                input: JSONValue.object(documents.mapValues(JSONValue.array)).canonicalText)
            guard text.hasPrefix("{") else { return XCTFail(String(text.prefix(4000))) }
            let copies = try JSONValue(parsing: text)
            for root in roots {
                for (index, copy) in (copies[root]?.array ?? []).enumerated() {
                    XCTAssertEqual(
                        copy.withoutNulls, expected[root]?[index].withoutNulls,
                        "\(root): \(documents[root]?[index].canonicalText ?? "")")
                }
            }
        }
    #endif

    #if os(macOS) || os(Linux)
        /// What jsonschema of PyPI accepts is read as an alternative that jsonschema accepts, and written again without loss;
        /// what it does not accept and no alternative reads is kept as it is.
        func testRandomUnionsLoseNothing() throws {
            var readers: [(seed: UInt64, schema: JSONValue, reader: ModelReader, documents: [JSONValue])] = []
            var questions: [JSONSchemaJudge.Question] = []
            for seed in 0..<UInt64(FullLength.rounds(150, of: 2_000)) {
                var random = RandomSchemas(seed: seed)
                let shape = random.union(depth: 2)
                let schema = random.schema(shape, depth: 0)
                let documents = (0..<6).map { _ in random.value(shape) }
                let reader = try ModelReader(random.components, root: schema)
                readers.append((seed, schema, reader, documents))
                let alternatives = (schema["oneOf"] ?? schema["anyOf"])?.array ?? []
                for (index, one) in ([schema] + alternatives).enumerated() {
                    guard case .object(var members) = one else { continue }
                    members["components"] = ["schemas": .object(random.components)]
                    // Swift types have no limits and take new values of an enumeration.
                    let judged = Self.closed(.object(members), withLimits: index == 0)
                    questions.append(JSONSchemaJudge.Question(schema: judged, documents: documents))
                }
            }
            var verdicts = try JSONSchemaJudge.verdicts(questions)[...]
            var count = 0
            for (seed, schema, reader, documents) in readers {
                let whole = try XCTUnwrap(verdicts.popFirst())
                let each = verdicts.prefix(reader.alternatives.count)
                verdicts = verdicts.dropFirst(reader.alternatives.count)
                for (position, document) in documents.enumerated() {
                    let text = "seed \(seed): \(document.canonicalText) of \(schema.canonicalText)"
                    let chosen = reader.chosen(document)
                    // A discriminator decides, even if the value is another alternative.
                    let tag = document["kind"]?.string ?? ""
                    let reference = schema["discriminator"]?["mapping"]?[tag]
                    let tagged = schema["oneOf"]?.array?.firstIndex {
                        $0["$ref"] == reference && reference != nil
                    }
                    if let tagged, !each[each.startIndex + tagged][position] { continue }
                    if whole[position] {
                        count += 1
                        XCTAssertEqual(reader.copy(document)?.withoutNulls, document.withoutNulls, text)
                        let accepted = zip(reader.alternatives, each).filter { $1[position] }.map(\.0)
                        // An optional does not tell null from absent.
                        guard let chosen, schema["discriminator"] == nil, document == document.withoutNulls
                        else { continue }
                        XCTAssertTrue(chosen.map(accepted.contains) == true, text)
                    } else if case .some(.none) = chosen, let copy = reader.copy(document) {
                        XCTAssertEqual(copy, document, text)
                    }
                }
            }
            XCTAssertGreaterThan(count, readers.count)
        }
    #endif
}
