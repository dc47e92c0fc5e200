/// What calls send of a model whose other properties only the backend sets.
///
/// An `id` that is required and `readOnly` (OpenAPI 3.0, section 4.7.24.2) is in all that is received, and in nothing that is
/// sent: readers have it without an optional, and writers cannot send it. A `writeOnly` password is the contrary.
struct InputModels {
    private let schemas: Schemas
    private let graph: ModelGraph

    init(_ schemas: Schemas) {
        self.schemas = schemas
        graph = ModelGraph(schemas.models)
    }

    /// Declares a model `Input` inside of each that is sent otherwise than it is received, and lets the operations send that.
    /// - Returns: The new models.
    func declare(for operations: inout [Operation]) -> Set<Int> {
        let models = schemas.models
        // Those that contain such a model are sent otherwise as well.
        let different = models.indices.filter { isSplit(models[$0]) }
        let split = graph.containing(different).union(different)
            .filter { models[$0].isSent && models[$0].isReceived }
        let inputs = Dictionary(
            uniqueKeysWithValues: split.sorted().compactMap { index -> (Int, Int)? in
                if case .alias = models[index].kind { return nil }
                return (index, schemas.declare("Input", inside: index))
            })
        guard !inputs.isEmpty else { return [] }
        let types = InputTypes(inputs: inputs, models: models, tags: tags())
        for (index, input) in inputs {
            schemas.models[index].isSent = false
            schemas.models[input].isSent = true
            schemas.models[input].received = index
            schemas.models[input].kind = types.input(of: index)
            schemas.models[input].documentation =
                "What calls send of `\(models[index].name)`: without what only the server sets."
        }
        for index in models.indices where models[index].isSent && !models[index].isReceived {
            schemas.models[index].kind = types.sent(models[index].kind)
        }
        for operation in operations.indices {
            for parameter in operations[operation].parameters.indices {
                let type = operations[operation].parameters[parameter].type
                operations[operation].parameters[parameter].type = types.sent(type)
            }
        }
        return Set(inputs.values)
    }

    /// The properties by which unions tell each model apart.
    private func tags() -> [Int: Set<String>] {
        let names = TypeNames(models: schemas.models)
        var tags: [Int: Set<String>] = [:]
        for model in schemas.models {
            guard case .union(let union) = model.kind else { continue }
            for one in union.cases {
                guard case .model(let index) = names.resolved(one.type) else { continue }
                tags[index, default: []].formUnion([union.discriminator, union.second].compactMap(\.self))
            }
        }
        return tags
    }

    private func isSplit(_ model: Model) -> Bool {
        guard model.isSent, model.isReceived, case .structure(let structure) = model.kind else {
            return false
        }
        return structure.properties.contains { $0.isRequired && ($0.isReadOnly || $0.isWriteOnly) }
    }
}

/// The types of what is sent in place of those of what is received.
private struct InputTypes {
    let inputs: [Int: Int]
    let models: [Model]
    let tags: [Int: Set<String>]

    func sent(_ type: SwiftType) -> SwiftType {
        switch type {
        case .array(let element): return .array(sent(element))
        case .dictionary(let value): return .dictionary(sent(value))
        case .optional(let wrapped): return sent(wrapped).orOmitted
        case .model(let index):
            if let input = inputs[index] { return .model(input) }
            if case .alias(let other) = models[index].kind, other != type, other.models != [index] {
                return sent(other)
            }
            return type
        default: return type
        }
    }

    /// The kind of what is sent of a model that is sent otherwise than it is received.
    func input(of index: Int) -> Model.Kind {
        guard case .structure(var structure) = models[index].kind else { return sent(models[index].kind) }
        structure.properties = structure.properties.compactMap { property in
            guard property.isReadOnly else { return property }
            // The server has to know what it is.
            guard tags[index]?.contains(property.wireName) == true else { return nil }
            var property = property
            property.isReadOnly = false
            return property
        }
        return sent(.structure(structure))
    }

    /// The same kind of model, of the types of what is sent.
    func sent(_ kind: Model.Kind) -> Model.Kind {
        switch kind {
        case .structure(var structure):
            for index in structure.properties.indices {
                structure.properties[index].type = sent(structure.properties[index].type)
            }
            structure.additional = structure.additional.map(sent)
            return .structure(structure)
        case .union(var union):
            for index in union.cases.indices { union.cases[index].type = sent(union.cases[index].type) }
            return .union(union)
        case .alias, .openEnum, .pending: return kind
        }
    }
}
