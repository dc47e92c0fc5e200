import DiscreteNetworkingJSON

/// Maps schemas to Swift types, and collects the models.
final class Schemas {
    /// The name to give to an unnamed type.
    struct Name {
        let words: [String]
        var scope: [String] = []
        /// A longer name, where the first is taken.
        var longer: [String]?
        /// What the type is for, without the operation; `nil` if the words say so.
        var context: [String]?
    }

    /// How many schemas may be read inside of one another; ``Generation/make(_:)`` has the stack for it.
    static let depthLimit = 10_000

    private static let alternativeKeywords = ["oneOf", "anyOf", "enum", "const"]

    private static let annotations: Set<String> = [
        "description", "title", "default", "example", "examples", "nullable", "readOnly", "writeOnly",
        "deprecated", "xml", "externalDocs", "$comment",
    ]

    /// Whether a keyword describes a value, and does not limit it.
    static func isAnnotation(_ keyword: String) -> Bool {
        annotations.contains(keyword) || keyword.hasPrefix("x-")
    }

    static func isAnnotation(_ node: Node) -> Bool {
        (node.value.object ?? [:]).keys.allSatisfy(isAnnotation)
    }

    let description: Description
    let report: Report
    var models: [Model] = []
    /// Names of types at the top level.
    private(set) var topLevel: NameRegistry
    private let given: GivenNames
    private var nested: [[String]: NameRegistry] = [:]
    private var nestedNames: Set<String> = []
    private var names: [Place: String] = [:]
    private var known: [Place: SwiftType] = [:]
    private var inProgress: Set<Place> = []
    /// The constants of objects, by which unions tell them apart.
    var constants: [Place: Constants] = [:]
    /// The number of properties of all models.
    private var propertyCount = 0

    /// - Parameter given: The names of the previous run, which are kept.
    init(
        _ description: Description, report: Report, reserved: Set<String>, given: GivenNames = GivenNames(),
        strippedPrefixes: [String] = []
    ) {
        self.description = description
        self.report = report
        let reserved = Set(reserved.map { $0.lowercased() })
        self.given = given.without(reserved)
        topLevel = NameRegistry(reserved: reserved.union(self.given.taken))
        let components = Self.components(of: description)
        let uncased = UncasedNames(components.map(\.name), in: description.root)
        for (name, node) in components {
            names[node.place] =
                self.given[key(node.place)]
                ?? topLevel.unique(uncased.type(strippedPrefixes.stripping(name)))
        }
    }

    /// The schemas that have a name.
    static func components(of description: Description) -> [(name: String, node: Node)] {
        let root = description.root
        let node = description.version == .swagger2 ? root["definitions"] : root["components"]?["schemas"]
        return node?.members ?? []
    }

    // MARK: Names

    /// A name for a type at the top level; that of the previous run, if there was one.
    /// - Parameter key: an endpoint, or the ``key(_:)`` of a schema.
    func uniqueName(_ name: String, key: String) -> String {
        if let name = given[key], !nestedNames.contains(name.lowercased()) { return name }
        return topLevel.unique(name, isTaken: nestedNames.contains)
    }

    private func name(of place: Place, _ suggested: Name) -> Name {
        if let name = names[place] { return Name(words: [name]) }
        return suggested
    }

    /// Declares a model before its contents are read, so that they may refer to it.
    func declare(_ schema: Node, _ name: Name) -> Int {
        let typeName: String
        if let given = names[schema.place] {
            typeName = given
        } else if name.scope.isEmpty {
            let short = SwiftName.type(words: name.words)
            let isTaken = topLevel.contains(short) || nestedNames.contains(short.lowercased())
            typeName = uniqueName(
                isTaken ? name.longer.map { SwiftName.type(words: $0) } ?? short : short,
                key: key(schema.place))
        } else {
            typeName = nestedName(name)
        }
        var model = Model(
            scope: names[schema.place] == nil ? name.scope : [], name: typeName, place: schema.place)
        model.documentation =
            schema.string("description") ?? schema.string("title").flatMap { $0 == typeName ? nil : $0 }
        model.isDeprecated = schema.flag("deprecated")
        model.context = names[schema.place] == nil ? name.context ?? name.words : nil
        models.append(model)
        known[schema.place] = .model(models.count - 1)
        return models.count - 1
    }

    /// Declares a second model inside of another one.
    func declare(_ word: String, inside index: Int) -> Int {
        let outer = models[index]
        let name = nestedName(Name(words: [word], scope: outer.path))
        let place = Place(document: outer.place.document, pointer: outer.place.pointer + [word])
        models.append(Model(scope: outer.path, name: name, place: place))
        return models.count - 1
    }

    /// A name for a type inside of others; a longer one where the first is taken.
    private func nestedName(_ name: Name) -> String {
        let around = Set(name.scope.map { $0.lowercased() })
        func isTaken(_ name: String) -> Bool { topLevel.contains(name) || around.contains(name) }
        // UserRole says more than Role2.
        let outer = name.scope.last { $0 != "Arguments" } ?? ""
        let candidates = [
            SwiftName.type(words: name.words),
            SwiftName.type(outer + " " + name.words.joined(separator: " ")),
        ]
        let known = nested[name.scope, default: NameRegistry()]
        let free = candidates.first { !known.contains($0) && !isTaken($0.lowercased()) }
        let chosen = nested[name.scope, default: NameRegistry()].unique(
            free ?? candidates[0], isTaken: isTaken)
        nestedNames.insert(chosen.lowercased())
        return chosen
    }

    // MARK: Types

    /// The type of a value, optional where `null` is allowed.
    func type(of node: Node, _ name: Name, allowsFile: Bool = false) throws(GeneratorError) -> SwiftType {
        var type = try nonNull(node, name)
        if case .file = type, !allowsFile { type = .string }
        if case .array(.file) = type, !allowsFile { type = .array(.string) }
        return try description.isNullable(node) ? type.orNull : type
    }

    /// Counts the properties of a model.
    /// - Throws: ``GeneratorError`` where parts that are used many times make too many of them.
    func countProperties(_ count: Int, at place: Place) throws(GeneratorError) {
        propertyCount += count
        guard propertyCount <= description.limits.properties else {
            throw GeneratorError(
                "The models have more than \(description.limits.properties) properties. Choose a part of the description with --include.",
                at: place)
        }
    }

    /// The type of a value that is not `null`.
    func nonNull(_ node: Node, _ suggested: Name) throws(GeneratorError) -> SwiftType {
        let schema = try description.schema(node)
        if schema.place != node.place, names[schema.place] == nil,
            try description.target(of: node).place == schema.place
        {
            let token = schema.place.pointer.last ?? Self.fileName(schema.place.document)
            names[schema.place] = uniqueName(SwiftName.type(token), key: key(schema.place))
        }
        if names[schema.place] == nil, let owner = description.merging.owners[schema.place] {
            names[schema.place] = names[owner]
        }
        let name = name(of: schema.place, suggested)
        if let type = known[schema.place] { return type }
        guard inProgress.insert(schema.place).inserted else {
            if let type = try list(schema) { return type }
            report.add("consists only of itself; it is JSONValue.", at: schema.place)
            return .json
        }
        defer { inProgress.remove(schema.place) }
        guard inProgress.count <= Self.depthLimit else {
            throw GeneratorError(
                "is reached through \(Self.depthLimit) schemas, each inside the one before.", at: schema.place
            )
        }
        let type = try read(schema, name)
        known[schema.place] = type
        return type
    }

    /// A list or dictionary that is reached again while it is read, where the model of its elements is known by now.
    private func list(_ schema: Node, depth: Int = 0) throws(GeneratorError) -> SwiftType? {
        if let type = known[schema.place] { return type }
        guard depth < 8, Self.alternativeKeywords.allSatisfy({ schema[$0] == nil }) else { return nil }
        func element(_ node: Node?) throws(GeneratorError) -> SwiftType? {
            guard let node, node.value.object != nil,
                let type = try list(description.schema(node), depth: depth + 1)
            else { return nil }
            return try description.isNullable(node) ? type.orNull : type
        }
        switch try SchemaType.all(of: schema, report) {
        case [.array]: return try element(schema["items"]).map(SwiftType.array)
        case [.object] where schema["properties"] == nil:
            return try element(schema["additionalProperties"]).map(SwiftType.dictionary)
        default: return nil
        }
    }

    private static func fileName(_ document: String) -> String {
        let file = document.split(separator: "/").last.map(String.init) ?? "Model"
        return file.split(separator: ".").first.map(String.init) ?? file
    }

    private func read(_ schema: Node, _ name: Name) throws(GeneratorError) -> SwiftType {
        if let bool = schema.bool {
            if !bool { report.add("allows no value at all; it is JSONValue.", at: schema.place) }
            return .json
        }
        guard schema.value.object != nil else {
            throw GeneratorError(
                "A schema is an object or a Boolean, not \(schema.value.kindText).", at: schema.place)
        }
        if let type = try union(schema, name) { return type }
        if schema["enum"] != nil || schema["const"] != nil, let type = try enumeration(schema, name) {
            return type
        }
        let types = try SchemaType.all(of: schema, report)
        if types.count > 1 {
            return try union(of: types.map { $0.narrowed(schema) }, schema, name)
        }
        switch types.first {
        case nil, .null?: return .json
        case .object?: return try object(schema, name)
        case .array?: return try array(schema, name)
        case let scalar?: return scalar.swiftType(of: schema)
        }
    }

    private func array(_ schema: Node, _ name: Name) throws(GeneratorError) -> SwiftType {
        guard schema["prefixItems"] == nil, schema["items"]?.value.array == nil else {
            report.add("has elements of several types by position; they are JSONValue.", at: schema.place)
            return .array(.json)
        }
        guard let items = schema["items"] else { return .array(.json) }
        return .array(
            try type(of: items, Name(words: Words.singular(name.words), scope: name.scope), allowsFile: true))
    }

    private func object(_ schema: Node, _ name: Name) throws(GeneratorError) -> SwiftType {
        if schema["discriminator"] != nil {
            report.add(
                "has a discriminator and no oneOf; what its subtypes have more is in additionalProperties.",
                at: schema.place)
        }
        let properties = try description.properties(of: schema)
        let additional = try additional(in: schema)
        let isConditional = ["then", "else", "dependentSchemas"].contains { schema[$0] != nil }
        if isConditional {
            report.add(
                "has properties that depend on others; they are in additionalProperties.", at: schema.place)
        }
        guard !properties.isEmpty else {
            guard let additional, additional.bool == nil else { return .dictionary(.json) }
            return .dictionary(
                try type(of: additional, Name(words: name.words + ["value"], scope: name.scope)))
        }
        return try structure(
            schema, name, properties: properties,
            required: Set(try schema.array("required").compactMap(\.string)),
            additional: additional, isOpen: schema["discriminator"] != nil || isConditional)
    }

    /// The schema of properties that have no name of their own.
    private func additional(in schema: Node) throws(GeneratorError) -> Node? {
        let additional = schema["additionalProperties"] ?? schema["unevaluatedProperties"]
        let patterns = try schema.object("patternProperties")?.members ?? []
        guard let pattern = patterns.first else { return additional }
        guard patterns.count == 1, additional == nil || additional?.bool == false else {
            report.add("has properties by several patterns; they are JSONValue.", at: schema.place)
            return Node(value: true, place: pattern.node.place)
        }
        return pattern.node
    }
}
