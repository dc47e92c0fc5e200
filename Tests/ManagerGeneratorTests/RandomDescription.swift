import DiscreteNetworkingJSON

/// Random valid descriptions of OpenAPI 3.1; those of one seed are the same each time.
struct RandomDescription {
    private var state: UInt64
    private let prefix: String
    private let names: [String]

    /// - Parameter prefix: what its schemas and paths begin with, so that several make one description together.
    init(seed: UInt64, prefix: String) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        self.prefix = prefix
        names = (0..<4).map { "\(prefix)Model\($0)" }
    }

    private mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % bound
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

    private static let words = [
        "id", "name", "class", "in", "default", "self", "Type", "user_id", "user-id", "userId", "2nd", "@id",
        "订单", "", "x y",
        "params", "jsonValue", "description", "value", "other", "decoder", "container", "let", "init", "+1",
        "-1", "body",
        "rawValue", "additionalProperties", "CodingKeys", "hash", "error", "Arguments", "methodName", "$ref_",
        "a.b", "é", "😀", "none", "some", "answer", "stubs", "manager", "headers", "encoding", "output",
        "a*/b",
        "x\u{202E}y", "\"", "\\(x)",
    ]

    mutating func schema(depth: Int = 0) -> JSONValue {
        let isDeep = depth > 3
        switch next(isDeep ? 6 : 14) {
        case 0: return ["type": "string"]
        case 1:
            return [
                "type": "string",
                "format": .string(pick(["date-time", "date", "uuid", "byte", "email", "binary", "strange"])),
            ]
        case 2:
            return [
                "type": .string(pick(["integer", "number", "boolean"])),
                "format": .string(pick(["int64", "decimal", "float"])),
            ]
        case 3:
            let count = 1 + next(5)
            var values: [JSONValue] = []
            for _ in 0..<count { values.append(.string(pick(Self.words))) }
            return ["type": "string", "enum": .array(values)]
        case 4: return ["$ref": .string("#/components/schemas/\(pick(names))")]
        case 5:
            return pick([
                [:], ["type": "object"], true, ["enum": ["a", 1]], ["type": ["string", "null"]],
                ["const": "only"], ["enum": [1, 2]],
            ])
        case 6: return ["type": "array", "items": schema(depth: depth + 1)]
        case 7: return ["type": "object", "additionalProperties": schema(depth: depth + 1)]
        case 8, 9: return object(depth: depth)
        case 10:
            return ["oneOf": [schema(depth: depth + 1), schema(depth: depth + 1), schema(depth: depth + 1)]]
        case 11: return ["anyOf": [schema(depth: depth + 1), ["type": "null"]]]
        case 12: return ["allOf": [object(depth: depth), object(depth: depth)]]
        default: return ["type": ["integer", "string", "array"], "items": schema(depth: depth + 1)]
        }
    }

    private mutating func object(depth: Int) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        for _ in 0..<next(6) {
            var property = schema(depth: depth + 1)
            if case .object(var keywords) = property, next(5) == 0 {
                keywords[pick(["readOnly", "writeOnly"])] = true
                property = .object(keywords)
            }
            properties[pick(Self.words)] = property
        }
        var members: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
        members["required"] = .array(
            properties.keys.sorted().filter { _ in next(2) == 0 }.map(JSONValue.string))
        if next(4) == 0 { members["additionalProperties"] = pick([true, false, ["type": "integer"]]) }
        if next(6) == 0 { members["description"] = "A */ /* \"comment\" \\ with\nlines\r\nand \u{2028} more" }
        return .object(members)
    }

    /// Schemas that have names, and are objects: a name that is only another one may lead in a circle.
    mutating func schemas() -> [String: JSONValue] {
        var schemas: [String: JSONValue] = [:]
        for name in names { schemas[name] = object(depth: 0) }
        return schemas
    }

    mutating func paths() -> [String: JSONValue] {
        var paths: [String: JSONValue] = [:]
        for index in 0..<3 {
            var item: [String: JSONValue] = [:]
            for method in ["get", "post", "delete"] where next(2) == 0 { item[method] = operation(method) }
            paths["/\(prefix)/\(index)/{id}"] = .object(item)
        }
        return paths
    }

    private mutating func operation(_ method: String) -> JSONValue {
        var parameters: [JSONValue] = [
            [
                "name": "id", "in": "path", "required": true,
                "schema": pick([
                    ["type": "integer"], ["type": "string"], ["type": "array", "items": ["type": "integer"]],
                ]),
            ]
        ]
        for place in ["query", "query", "header", "cookie"] where next(2) == 0 {
            let name = place == "header" ? "X-\(next(9))" : pick(Self.words)
            guard !parameters.contains(where: { $0["name"]?.string == name && $0["in"]?.string == place })
            else { continue }
            parameters.append([
                "name": .string(name), "in": .string(place), "required": .bool(next(2) == 0),
                "schema": schema(depth: 2),
                "style": .string(place == "query" ? pick(["form", "deepObject", "pipeDelimited"]) : "form"),
            ])
        }
        var operation: [String: JSONValue] = [
            "parameters": .array(parameters), "tags": [.string(pick(Self.words))],
            "deprecated": .bool(next(9) == 0),
            "responses": [
                pick(["200", "201", "default"]): ["description": "", "content": content()],
                "404": ["description": "", "content": ["application/json": ["schema": schema()]]],
            ],
        ]
        if method == "post" {
            operation["requestBody"] = [
                "required": .bool(next(2) == 0), "content": next(3) == 0 ? form() : content(),
            ]
        }
        return .object(operation)
    }

    private mutating func content() -> JSONValue {
        let type = pick([
            "application/json", "application/json", "application/json", "text/plain", "image/png",
            "application/problem+json",
        ])
        return .object([type: ["schema": schema()]])
    }

    private mutating func form() -> JSONValue {
        .object([
            pick(["multipart/form-data", "application/x-www-form-urlencoded"]): ["schema": object(depth: 2)]
        ])
    }
}

extension RandomDescription {
    /// Many of them as one.
    static func document(seeds: Range<UInt64>) -> JSONValue {
        var schemas: [String: JSONValue] = [:]
        var paths: [String: JSONValue] = [:]
        for seed in seeds {
            var random = RandomDescription(seed: seed, prefix: "D\(seed)")
            schemas.merge(random.schemas()) { $1 }
            paths.merge(random.paths()) { $1 }
        }
        return [
            "openapi": "3.1.0", "info": ["title": "Random", "version": "1"],
            "servers": [["url": "https://random.example.com"]],
            "paths": .object(paths), "components": ["schemas": .object(schemas)],
        ]
    }
}
