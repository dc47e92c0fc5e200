import DiscreteNetworkingJSON

/// What the parts of an `allOf` say together.
struct MergedSchema {
    let place: Place
    private(set) var notes: [Note] = []
    private var members: [String: Node] = [:]
    /// The schemas of each property, and of each pattern of properties.
    private var properties: [String: [Node]] = [:]
    private var patterns: [String: [Node]] = [:]
    /// The schemas of `items` and `additionalProperties`.
    private var inner: [String: [Node]] = [:]
    private var required: Set<String> = []
    private var values: (list: [JSONValue], place: Place)?
    private var types: (names: Set<String>, place: Place)?
    private var choices: [Node] = []
    private var isContradictory = false

    /// What limits a value, and not its type.
    static let bounds: Set<String> = [
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems",
        "maxItems", "minProperties", "maxProperties", "uniqueItems", "pattern", "multipleOf", "not",
    ]
    private static let least: Set<String> = [
        "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "multipleOf",
    ]
    private static let texts: Set<String> = ["title", "description", "example", "examples", "default"]
    /// What belongs to one part, and names or places that mean nothing in another schema.
    private static let own: Set<String> = [
        "allOf", "$ref", "$dynamicRef", "$anchor", "$dynamicAnchor", "$id", "$schema", "$defs", "definitions",
        "discriminator", "nullable", "x-nullable",
    ]

    init(place: Place) { self.place = place }

    /// The names of a schema's types, `null` apart; `nil` where any is allowed.
    static func types(_ schema: Node) -> Set<String>? {
        guard let type = schema["type"] else { return nil }
        let names = type.string.map { [$0] } ?? type.elements.compactMap(\.string)
        guard !names.isEmpty, names.allSatisfy({ SchemaType.words[$0] != nil }) else { return nil }
        return Set(names.filter { $0 != "null" })
    }

    // MARK: Adding

    mutating func add(_ part: Node, _ own: [(name: String, node: Node)]) throws(GeneratorError) {
        for (name, node) in own { properties[name, default: []].append(node) }
        required.formUnion(try part.array("required").compactMap(\.string))
        for (name, node) in try part.object("patternProperties")?.members ?? [] {
            patterns[name, default: []].append(node)
        }
        for name in ["items", "additionalProperties"] {
            if let node = part[name] { inner[name, default: []].append(node) }
        }
        add(types: part)
        try add(values: part)
        if part["oneOf"] != nil || part["anyOf"] != nil { choices.append(part) }
        let read: Set<String> = [
            "properties", "required", "patternProperties", "items", "additionalProperties", "type", "enum",
            "const", "oneOf", "anyOf", "x-enum-varnames", "x-enumNames",
        ]
        for (keyword, node) in part.members
        where !read.contains(keyword) && !Self.own.contains(keyword) && !Self.texts.contains(keyword) {
            add(keyword, node)
        }
    }

    /// Takes what describes a value.
    mutating func annotate(_ part: Node) {
        for (keyword, node) in part.members where Self.texts.contains(keyword) { members[keyword] = node }
    }

    /// Reports limits that no value is in.
    mutating func close() {
        if let known = values, let types, !isContradictory {
            values?.list = known.list.filter { value in types.names.contains { Self.fits(value, $0) } }
            if values?.list.isEmpty == true { contradict(known.place, types.place) }
        }
        for (least, most) in [
            ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"),
            ("minProperties", "maxProperties"),
        ] {
            guard let low = members[least], let high = members[most], let lowest = low.value.double,
                let highest = high.value.double, lowest > highest
            else { continue }
            note(low.place, high.place, "It has the type without the limits.")
        }
    }

    private mutating func add(types part: Node) {
        guard let own = Self.types(part) else { return }
        guard let known = types else {
            types = (own, part.place.appending("type"))
            return
        }
        let both = known.names.filter { name in own.contains { Self.fits(name, in: $0) } }
            .union(own.filter { name in known.names.contains { Self.fits(name, in: $0) } })
        if both.isEmpty, !known.names.isEmpty, !own.isEmpty {
            contradict(known.place, part.place.appending("type"))
        }
        types = (both, known.place)
    }

    /// Whether a type is another one, or a part of it: an integer is a number.
    private static func fits(_ name: String, in other: String) -> Bool {
        guard let own = SchemaType.words[name], let whole = SchemaType.words[other] else { return true }
        return own == whole || own == .integer && whole == .number
    }

    private mutating func add(values part: Node) throws(GeneratorError) {
        guard let node = part["const"] ?? part["enum"] else { return }
        var own = try part.array("enum").map(\.value)
        if let value = part["const"]?.value { own = [value] }
        for keyword in ["x-enum-varnames", "x-enumNames"] { members[keyword] = part[keyword] }
        guard let known = values else {
            values = (own, node.place)
            return
        }
        let both = known.list.filter(own.contains)
        if both.allSatisfy(\.isNull) { contradict(known.place, node.place) }
        values = (both, known.place)
    }

    private mutating func add(_ keyword: String, _ node: Node) {
        guard let known = members[keyword] else {
            members[keyword] = node
            return
        }
        guard known.value != node.value else { return }
        if Self.bounds.contains(keyword), let own = node.value.double, let other = known.value.double {
            if Self.least.contains(keyword) == (own > other) { members[keyword] = node }
        } else if node.bool == true || known.bool == true {
            members[keyword] = node.bool == true ? node : known
        } else if keyword == "format" {
            add(format: node, beside: known)
        } else if !Self.bounds.contains(keyword) {
            members[keyword] = node
        }
    }

    /// Of two formats, the one that is a type; of 32 and 64 bits, the narrower.
    private mutating func add(format node: Node, beside known: Node) {
        let formats = [known, node].map { $0.string ?? "" }
        if formats.allSatisfy({ $0.hasPrefix("int") }) {
            members["format"] = formats[0] == "int32" ? known : node
            return
        }
        let typed: Set<String> = [
            "date-time", "date", "uuid", "byte", "binary", "decimal", "int64", "uint64",
        ]
        switch (typed.contains(formats[0]), typed.contains(formats[1])) {
        case (true, true):
            note(known.place, node.place, "It has no format.")
            members["format"] = nil
        case (false, true): members["format"] = node
        default: break
        }
    }

    private mutating func contradict(_ place: Place, _ other: Place) {
        isContradictory = true
        note(place, other, "It is JSONValue.")
    }

    private mutating func note(_ place: Place, _ other: Place, _ result: String) {
        notes.append(
            Note(place: place, text: "contradicts \(other): no value is valid for both. \(result)"))
    }

    // MARK: The schema

    var node: Node {
        var members = members
        // No model reads what no value is; its texts remain.
        guard !isContradictory else {
            return Node(members.filter { Self.texts.contains($0.key) }, at: place)
        }
        func keyword(_ name: String, _ value: JSONValue) {
            members[name] = Node(value: value, place: place.appending(name))
        }
        if !properties.isEmpty {
            members["properties"] = Node(together(properties, "properties"), at: inside("properties"))
        }
        if !patterns.isEmpty {
            members["patternProperties"] = Node(
                together(patterns, "patternProperties"), at: inside("patternProperties"))
        }
        for (name, nodes) in inner {
            let closed = nodes.first { $0.bool == false }
            let telling = nodes.filter { $0.bool == nil }
            members[name] = closed ?? (telling.isEmpty ? nodes[0] : Self.together(telling, inside(name)))
        }
        if !required.isEmpty { keyword("required", .array(required.sorted().map(JSONValue.string))) }
        if let values { add(values.list, to: &members) }
        if let types { keyword("type", Self.type(types.names.isEmpty ? ["null"] : types.names)) }
        if choices.count == 1 || !properties.isEmpty, let choice = choices.first {
            for name in ["oneOf", "anyOf", "discriminator"] { members[name] = choice[name] }
        } else if !choices.isEmpty {
            // Each alternative of one may be with each of the others.
            members = members.filter { Self.texts.contains($0.key) }
        }
        return Node(members, at: place)
    }

    private func add(_ list: [JSONValue], to members: inout [String: Node]) {
        members["enum"] = Node(value: .array(list), place: place.appending("enum"))
        for keyword in ["x-enum-varnames", "x-enumNames"]
        where members[keyword]?.value.array?.count != list.count {
            members[keyword] = nil
        }
    }

    private static func fits(_ value: JSONValue, _ type: String) -> Bool {
        switch SchemaType.words[type] {
        case .string: value.string != nil
        case .integer: value.int != nil
        case .number: value.number != nil
        case .boolean: value.bool != nil
        case .object: value.object != nil
        case .array: value.array != nil
        default: true
        }
    }

    private static func type(_ names: Set<String>) -> JSONValue {
        names.count == 1
            ? .string(names.first ?? "") : .array(names.sorted().map(JSONValue.string))
    }

    // MARK: Schemas that hold together

    /// A place that no other schema has.
    private func inside(_ name: String) -> Place { place.appending("allOf").appending(name) }

    private func together(_ nodes: [String: [Node]], _ keyword: String) -> [String: Node] {
        Dictionary(
            uniqueKeysWithValues: nodes.map { name, nodes in
                (name, Self.together(nodes, inside(keyword).appending(name)))
            })
    }

    /// One schema, or the `allOf` of several, which is merged once it is read: schemas may contain themselves.
    private static func together(_ nodes: [Node], _ place: Place) -> Node {
        guard nodes.count > 1 else { return nodes[0] }
        var members: [String: Node] = [:]
        for node in nodes {
            for (name, text) in node.members
            where texts.contains(name) || ["readOnly", "writeOnly", "deprecated"].contains(name) {
                if members[name]?.bool != true { members[name] = text }
            }
        }
        members["allOf"] = Node(nodes, at: place.appending("allOf"))
        return Node(members, at: place)
    }
}
