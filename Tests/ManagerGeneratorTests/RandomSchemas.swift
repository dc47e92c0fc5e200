import DiscreteNetworkingJSON

/// Random values of a shape, and random schemas of it: each schema says a part of the shape, all say it together.
struct RandomSchemas {
    /// What values look like, however schemas say it.
    indirect enum Shape {
        case integer, number, string, boolean
        case enumeration([String])
        case array(Shape)
        case dictionary(Shape)
        case object([String: Shape])
        case nullable(Shape)
        /// - Parameter tag: What the constants begin with by which objects say which alternative they are, if they do.
        case union([Shape], tag: String?)
    }

    var random: SeededNumbers
    /// The schemas that references lead to.
    private(set) var components: [String: JSONValue] = [:]
    private var tags = 0

    private let prefix: String

    /// - Parameter prefix: What the names of its schemas begin with.
    init(seed: UInt64, prefix: String = "") {
        random = SeededNumbers(state: seed)
        self.prefix = prefix
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

    // MARK: Shapes

    mutating func shape(depth: Int) -> Shape {
        if chance(6) { return .nullable(plain(depth: depth)) }
        return plain(depth: depth)
    }

    private mutating func plain(depth: Int) -> Shape {
        switch below(depth > 0 ? 9 : 5) {
        case 0: .integer
        case 1: .number
        case 2: .string
        case 3: .boolean
        case 4: .enumeration(["a", "b", "c"])
        case 5: .array(shape(depth: depth - 1))
        case 6: .dictionary(shape(depth: depth - 1))
        default: object(depth: depth)
        }
    }

    mutating func object(depth: Int) -> Shape {
        var members: [String: Shape] = [:]
        for name in ["p", "q", "r", "s"].prefix(1 + below(4)) { members[name] = shape(depth: depth - 1) }
        return .object(members)
    }

    /// Alternatives, some of them unions, arrays or scalars.
    mutating func union(depth: Int) -> Shape {
        var shapes: [Shape] = []
        for _ in 0..<2 + below(3) {
            switch below(depth > 0 ? 6 : 3) {
            case 0: shapes.append([.integer, .string, .boolean, .number][below(4)])
            case 1, 2: shapes.append(alternative(depth: depth))
            case 3: shapes.append(.array(chance(2) ? union(depth: depth - 1) : alternative(depth: depth - 1)))
            case 4: shapes.append(.dictionary([.integer, .boolean][below(2)]))
            default: shapes.append(union(depth: depth - 1))
            }
        }
        tags += 1
        return .union(shapes, tag: chance(4) ? "k\(tags)." : nil)
    }

    /// An object of which some members are required, and some may be null.
    private mutating func alternative(depth: Int) -> Shape {
        var members: [String: Shape] = [:]
        for name in ["p", "q", "r", "s", "t"] where chance(2) {
            let inner: Shape = depth > 0 && chance(4) ? union(depth: depth - 1) : shape(depth: 0)
            members[name] = chance(3) ? .nullable(inner) : inner
        }
        // An object of no known members would be every alternative, whatever its tag is.
        if members.isEmpty { members["p"] = .string }
        return .object(members)
    }

    // MARK: Schemas

    /// A schema of a shape: in one piece, as parts, or as a reference with more beside it.
    mutating func schema(_ shape: Shape, depth: Int) -> JSONValue {
        if case .union(let shapes, let tag) = shape { return alternatives(shapes, tag) }
        guard depth > 0, chance(2) else { return part(shape, isWhole: true, depth: depth) }
        var parts = [schema(shape, depth: depth - 1)]
        for _ in 0..<1 + below(2) { parts.append(part(shape, isWhole: false, depth: depth - 1)) }
        parts = parts.map { chance(3) ? reference(to: $0) : $0 }
        parts.shuffle(using: &random)
        if chance(4), case .object(var members) = part(shape, isWhole: false, depth: depth - 1) {
            // Beside a reference, or beside allOf.
            if parts.count == 1 || chance(2) {
                members["$ref"] = reference(to: ["allOf": .array(parts)])["$ref"]
            } else {
                members["allOf"] = .array(parts)
            }
            return .object(members)
        }
        return ["allOf": .array(parts)]
    }

    private mutating func alternatives(_ shapes: [Shape], _ tag: String?) -> JSONValue {
        var schemas: [JSONValue] = []
        for shape in shapes {
            let schema = schema(shape, depth: 0)
            schemas.append(chance(3) ? reference(to: schema) : schema)
        }
        guard let tag else { return [chance(2) ? "oneOf" : "anyOf": .array(schemas)] }
        var mapping: [String: JSONValue] = [:]
        for index in schemas.indices {
            guard case .object = shapes[index], case .object(var members) = schemas[index] else { continue }
            if let name = members["$ref"]?.string?.split(separator: "/").last {
                members = components[String(name)]?.object ?? [:]
            }
            let constant = JSONValue.string("\(tag)\(index)")
            members["properties"] = merged(members["properties"], ["kind": ["const": constant]])
            members["required"] = .array((members["required"]?.array ?? []) + ["kind"])
            schemas[index] = reference(to: .object(members))
            mapping["\(tag)\(index)"] = schemas[index]["$ref"]
        }
        return [
            "oneOf": .array(schemas),
            "discriminator": ["propertyName": "kind", "mapping": .object(mapping)],
        ]
    }

    private func merged(_ value: JSONValue?, _ others: [String: JSONValue]) -> JSONValue {
        .object((value?.object ?? [:]).merging(others) { $1 })
    }

    mutating func reference(to schema: JSONValue) -> JSONValue {
        let name = "\(prefix)S\(components.count)"
        components[name] = schema
        return ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// - Parameter isWhole: Whether it says the type and all properties.
    private mutating func part(_ shape: Shape, isWhole: Bool, depth: Int) -> JSONValue {
        var isNullable = false
        var shape = shape
        if case .nullable(let inner) = shape { (isNullable, shape) = (isWhole || chance(2), inner) }
        if case .union = shape {
            let schema = schema(shape, depth: 0)
            return isNullable ? ["anyOf": [schema, ["type": "null"]]] : schema
        }
        var members = limits(shape)
        if chance(5) { members["description"] = "A text." }
        if isWhole || chance(3) {
            let name = type(shape)
            members["type"] = isNullable ? [.string(name), "null"] : .string(name)
        }
        switch shape {
        case .enumeration(let values) where isWhole || chance(2):
            let some = values.filter { _ in isWhole || !chance(4) }
            members["enum"] = .array(
                (some.isEmpty ? values : some).map(JSONValue.string) + (isNullable ? [nil] : []))
            if !isNullable { members["type"] = "string" }
        case .array(let element) where isWhole || chance(2):
            members["items"] = inner(element, isWhole, depth: depth - 1)
        case .dictionary(let value) where isWhole || chance(2):
            members["additionalProperties"] = inner(value, isWhole, depth: depth - 1)
        case .object(let all):
            var properties: [String: JSONValue] = [:]
            for (name, shape) in all.sorted(by: { $0.key < $1.key }) where isWhole || chance(2) {
                properties[name] = inner(shape, isWhole, depth: depth - 1)
            }
            if !properties.isEmpty { members["properties"] = .object(properties) }
            let required = all.keys.sorted().filter { _ in chance(3) }
            if !required.isEmpty { members["required"] = .array(required.map(JSONValue.string)) }
            if isWhole, chance(4) { members["additionalProperties"] = chance(2) ? ["type": "integer"] : true }
        default: break
        }
        return .object(members)
    }

    /// A part may say a part of what is inside of it.
    private mutating func inner(_ shape: Shape, _ isWhole: Bool, depth: Int) -> JSONValue {
        isWhole || chance(2) ? schema(shape, depth: depth) : part(shape, isWhole: false, depth: depth)
    }

    private func type(_ shape: Shape) -> String {
        switch shape {
        case .integer: "integer"
        case .number: "number"
        case .string, .enumeration: "string"
        case .boolean: "boolean"
        case .array: "array"
        case .dictionary, .object: "object"
        case .nullable(let inner): type(inner)
        case .union: "object"
        }
    }

    private mutating func limits(_ shape: Shape) -> [String: JSONValue] {
        guard chance(3) else { return [:] }
        let number = JSONValue.number(JSONNumber(below(4)))
        switch shape {
        case .integer, .number: return chance(3) ? ["type": "integer"] : ["minimum": number]
        case .string: return chance(2) ? ["maxLength": number] : ["minLength": number]
        case .array: return chance(2) ? ["minItems": 1] : ["maxItems": 2]
        default: return [:]
        }
    }

    // MARK: Values

    mutating func value(_ shape: Shape) -> JSONValue {
        switch shape {
        case .integer: return .number(JSONNumber(below(9)))
        case .number: return chance(2) ? 1.5 : .number(JSONNumber(below(9)))
        case .string: return .string(["", "x", "text"][below(3)])
        case .boolean: return .bool(chance(2))
        case .enumeration(let values): return .string(values[below(values.count)])
        case .array(let element): return .array((0..<below(3)).map { _ in value(element) })
        case .dictionary(let inner): return chance(3) ? [:] : ["k": value(inner)]
        case .object(let members):
            var object: [String: JSONValue] = [:]
            for (name, shape) in members.sorted(by: { $0.key < $1.key }) where !chance(4) {
                object[name] = value(shape)
            }
            return .object(object)
        case .nullable(let inner): return chance(3) ? nil : value(inner)
        case .union(let shapes, let tag):
            let index = below(shapes.count)
            guard let tag, case .object = shapes[index], case .object(var members) = value(shapes[index])
            else { return value(shapes[index]) }
            members["kind"] = .string("\(tag)\(index)")
            return .object(members)
        }
    }
}
