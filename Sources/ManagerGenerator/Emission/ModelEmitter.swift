import DiscreteNetworkingJSON

/// Writes models.
struct ModelEmitter {
    var names: TypeNames
    /// Models inside of others, by the path of those.
    let nested: [[String]: [Int]]
    let storage: ModelStorage
    /// Models in unions: a required property that is `null` is encoded, because its absence would be another alternative.
    let alternatives: Set<Int>
    /// Models that are `Hashable`; others are only `Equatable`.
    let hashable: Set<Int>
    /// How what was received becomes what is sent.
    let conversions: InputConversions

    func emit(_ index: Int, to source: inout Source) {
        let model = names.models[index]
        source.documentation(model.documentation)
        if model.isDeprecated {
            source.documentation((model.documentation == nil ? "" : "\n") + "Deprecated.")
        }
        var inner = self
        inner.names = names.in(model.path)
        if let same = model.same {
            return source.add("public typealias \(model.name) = \(names.models[same].qualifiedName)")
        }
        switch model.kind {
        case .structure(let structure): inner.emit(structure, model, index, to: &source)
        case .openEnum(let open): inner.emit(open, model, to: &source)
        case .union(let union): inner.emit(union, model, index, to: &source)
        case .alias, .pending:
            // Only a scope for what stands in it.
            source.block("public nonisolated enum \(model.name)") { emitNested(in: model.path, to: &$0) }
        }
    }

    /// The protocol by which values of a model are compared. Its conformance is synthesized: a declared `==` is an overload for
    /// all others, and with one in each of 2,000 models the compiler takes a third longer.
    func equality(_ index: Int) -> String { hashable.contains(index) ? "Hashable" : "Equatable" }

    func emitNested(in path: [String], to source: inout Source) {
        for index in nested[path] ?? [] {
            source.space()
            emit(index, to: &source)
        }
    }

    // MARK: Structs

    func type(_ property: Structure.Property, in model: Model) -> SwiftType {
        let isOptional =
            !property.isRequired || (property.isReadOnly && model.isSent)
            || (property.isWriteOnly && model.isReceived)
        return isOptional ? property.type.orOmitted : property.type
    }

    private func emit(_ structure: Structure, _ model: Model, _ index: Int, to source: inout Source) {
        var conformances = ["Codable", equality(index), "Sendable"]
        let properties = structure.properties.map { (property: $0, type: type($0, in: model)) }
        // A nested type named ID would be taken for the associated type of Identifiable.
        let hasNestedID = (nested[model.path] ?? []).contains { names.models[$0].name == "ID" }
        if let id = properties.first(where: { $0.property.name == "id" }), names.resolved(id.type).isScalar,
            !hasNestedID
        {
            conformances.append("Identifiable")
        }
        if model.isSent { conformances.append("ParamValueConvertible") }
        source.type("public nonisolated struct \(model.name)", conformances) { source in
            for (property, type) in properties {
                source.documentation(property.documentation)
                emitProperty(property.name, type, isBoxed: isBoxed(property, index), to: &source)
            }
            if let additional = structure.additional {
                source.documentation("Members beside these.")
                source.add("public var additionalProperties: [String: \(names.name(additional))]")
            }
            emitInitializer(properties, structure.additional, index, to: &source)
            conversions.emit(to: index, names, &source)
            emitCodable(properties, structure.additional, index, to: &source)
            if model.isSent { emitEncoding(properties, structure.additional, to: &source) }
            emitNested(in: model.path, to: &source)
        }
    }

    /// Whether a property is stored indirectly, under another name.
    func isBoxed(_ property: Structure.Property, _ index: Int) -> Bool {
        storage.boxed.contains(BoxedProperty(model: index, name: property.name))
    }

    func emitProperty(_ name: String, _ type: SwiftType, isBoxed: Bool, to source: inout Source) {
        let declaration = "public var \(SwiftName.escaped(name)): \(names.name(type))"
        guard isBoxed else { return source.add(declaration) }
        let wrapped = wrapped(type)
        let mark = wrapped == nil ? "" : "?"
        source.block(declaration) {
            $0.add("get { _\(name)\(mark).value }")
            $0.add("set { \(assignment(name, "newValue", type, isBoxed: true)) }")
        }
        source.add("private var _\(name): Indirect<\(names.name(wrapped ?? type))>\(mark)")
    }

    /// The statement that sets a property to a value.
    func assignment(_ name: String, _ value: String, _ type: SwiftType, isBoxed: Bool) -> String {
        guard isBoxed else { return "self.\(SwiftName.escaped(name)) = \(value)" }
        // No value needs no box.
        return "_\(name) = " + (wrapped(type) == nil ? "Indirect(\(value))" : "\(value).map { Indirect($0) }")
    }

    private func wrapped(_ type: SwiftType) -> SwiftType? {
        guard case .optional(let wrapped) = names.resolved(type) else { return nil }
        return self.wrapped(wrapped) ?? wrapped
    }

    private func emitInitializer(
        _ properties: [TypedProperty], _ additional: SwiftType?,
        _ index: Int,
        to source: inout Source
    ) {
        source.space()
        var items = properties.map { property, type in
            parameter(SwiftName.escaped(property.name), type)
        }
        if let additional { items.append("additionalProperties: [String: \(names.name(additional))] = [:]") }
        guard !items.isEmpty else { return source.add("public init() {}") }
        source.block("public init(", items, ")") { source in
            for (property, type) in properties {
                let value = SwiftName.escaped(property.name)
                source.add(assignment(property.name, value, type, isBoxed: isBoxed(property, index)))
            }
            if additional != nil { source.add("self.additionalProperties = additionalProperties") }
        }
    }

    /// A parameter of an initializer; what may be left out has a default.
    func parameter(_ name: String, _ type: SwiftType) -> String {
        if let constant = names.constant(type) { return "\(name): \(names.name(type)) = \(constant)" }
        return "\(name): \(names.name(type))" + (names.resolved(type).isOptional ? " = nil" : "")
    }

    private func emitEncoding(
        _ properties: [TypedProperty], _ additional: SwiftType?,
        to source: inout Source
    ) {
        source.space()
        source.block("public var jsonValue: JSONValue") { source in
            guard !properties.isEmpty || additional != nil else { return source.add("Params().jsonValue") }
            source.add("var params = Params()")
            if additional != nil {
                source.block("for (name, value) in additionalProperties") {
                    $0.add("params.set(name, value)")
                }
            }
            for (property, _) in properties {
                let name = SwiftName.escaped(property.name)
                // Required, but null: the member has to be there.
                let isNull = property.isRequired && property.type.isOptional
                let value = isNull ? "\(name)?.jsonValue ?? .null" : name
                source.list("params.set(", [Literal.string(property.wireName), value], ")")
            }
            source.add("return params.jsonValue")
        }
    }
}

/// A property of a model.
struct BoxedProperty: Hashable {
    let model: Int
    let name: String
}

extension SwiftType {
    /// The type of what may be left out; anything may be left out, too.
    var orOmitted: SwiftType { isOptional ? self : .optional(self) }
}
