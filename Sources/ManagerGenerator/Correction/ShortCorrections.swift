import DiscreteNetworkingCommands
import DiscreteNetworkingJSON

/// Corrections of schemas by their names: what a team writes most often, without a JSONPath.
///
///     "optional": ["Poem.title", "Author"], "nullable": ["Poem.poet"], "type": {"Poem.id": "string"}
struct ShortCorrections: Sendable, Equatable {
    /// Properties that may be absent; a schema means all of its properties.
    var optional: [String] = []
    /// Properties and schemas that may be `null`.
    var nullable: [String] = []
    /// Types by properties and schemas: `string`, `integer`, `string/date`, `any`, or the name of a schema.
    var types: [NamePair] = []

    /// - Throws: ``GeneratorError`` for a schema or a property that the description does not have.
    func apply(to document: inout JSONValue) throws(GeneratorError) {
        for name in optional {
            let place = try SchemaPlace(name, "--optional", in: document)
            for (pointer, property) in place.requiring(in: document) {
                document = document.changed(at: (pointer + ["required"])[...]) { required in
                    .array((required.array ?? []).filter { property != nil && $0.string != property })
                }
            }
        }
        for name in nullable {
            let place = try SchemaPlace(name, "--nullable", in: document)
            let word = document["swagger"] == nil ? "nullable" : "x-nullable"
            document = document.changed(at: place.pointer[...]) { schema in
                .object((schema.object ?? [:]).merging([word: true]) { $1 })
            }
        }
        for pair in types {
            let place = try SchemaPlace(pair.name, "--type", in: document)
            let schema = try Self.schema(pair.value, pair.name, in: document)
            document = document.changed(at: place.pointer[...]) { old in
                let text = old["description"].map { ["description": $0] } ?? [:]
                return .object(schema["$ref"] == nil ? schema.merging(text) { $1 } : schema)
            }
        }
    }

    private static func schema(
        _ type: String, _ name: String, in document: JSONValue
    ) throws(GeneratorError) -> [String: JSONValue] {
        let parts = type.split(separator: "/", maxSplits: 1).map(String.init)
        let kinds = ["string", "integer", "number", "boolean", "object", "array"]
        if type == "any" { return [:] }
        if let kind = parts.first, kinds.contains(kind) {
            var schema: [String: JSONValue] = ["type": .string(kind)]
            if parts.count == 2 { schema["format"] = .string(parts[1]) }
            return schema
        }
        let (pointer, schemas) = SchemaPlace.schemas(of: document)
        guard schemas[type] != nil else {
            let known = kinds + ["any"] + schemas.keys
            throw GeneratorError(
                "--type \(name)=\(type) needs a type, such as string, string/date or any, or the name of a schema.\(NearName.hint(type, among: known.sorted()))"
            )
        }
        return ["$ref": .string("#/" + (pointer + [type]).joined(separator: "/"))]
    }
}

/// A schema or a property by its name, `Poem` or `Poem.poet.name`, in a document.
struct SchemaPlace {
    /// The JSON pointer.
    private(set) var pointer: [String]
    /// The schema that has the property, and the property's name; `nil` for a whole schema.
    private var owner: (pointer: [String], property: String)?

    static func schemas(of document: JSONValue) -> (pointer: [String], schemas: [String: JSONValue]) {
        let pointer = document["swagger"] == nil ? ["components", "schemas"] : ["definitions"]
        return (pointer, document.value(at: pointer)?.object ?? [:])
    }

    init(_ name: String, _ option: String, in document: JSONValue) throws(GeneratorError) {
        let (root, schemas) = Self.schemas(of: document)
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // The name of a schema may have dots.
        let counts = (1...max(parts.count, 1)).reversed()
        guard
            let count = counts.first(where: { schemas[parts.prefix($0).joined(separator: ".")] != nil })
        else {
            let known = schemas.keys.sorted()
            let near = NearName.of(name, among: known) ?? NearName.of(parts[0], among: known)
            throw GeneratorError(
                "\(option) \(name): there is no such schema." + (near.map { " Did you mean \($0)?" } ?? ""))
        }
        pointer = root + [parts.prefix(count).joined(separator: ".")]
        for property in parts.dropFirst(count) {
            let places = Self.parts(of: pointer, in: document)
            guard
                let place = places.first(where: { document.value(at: $0 + ["properties", property]) != nil })
            else {
                let known = places.flatMap { (document.value(at: $0 + ["properties"])?.object ?? [:]).keys }
                throw GeneratorError(
                    "\(option) \(name): \(pointer.last ?? "") has no property \(property).\(NearName.hint(property, among: known.sorted()))"
                )
            }
            owner = (pointer, property)
            pointer = place + ["properties", property]
        }
    }

    /// The schemas that require the property, or any property of the schema; `nil` stands for all.
    func requiring(in document: JSONValue) -> [(pointer: [String], property: String?)] {
        Self.parts(of: owner?.pointer ?? pointer, in: document)
            .filter { document.value(at: $0 + ["required"]) != nil }.map { ($0, owner?.property) }
    }

    /// The schema, what its references lead to, the elements of an array, and the parts of an `allOf`.
    private static func parts(of pointer: [String], in document: JSONValue) -> [[String]] {
        var found: [[String]] = []
        var rest = [pointer]
        while let next = rest.popLast(), found.count < 1_000 {
            guard !found.contains(next), let schema = document.value(at: next) else { continue }
            found.append(next)
            if let reference = schema["$ref"]?.string, reference.hasPrefix("#/") {
                rest.append(
                    reference.dropFirst(2).split(separator: "/").map {
                        $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
                    })
            }
            if schema["items"]?.object != nil { rest.append(next + ["items"]) }
            rest += (schema["allOf"]?.array ?? []).indices.map { next + ["allOf", String($0)] }.reversed()
        }
        return found
    }
}
