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
        let types = InputTypes(inputs: inputs, models: models)
        for (index, input) in inputs {
            schemas.models[index].isSent = false
            schemas.models[input].isSent = true
            schemas.models[input].received = index
            schemas.models[input].kind = types.sent(models[index].kind)
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

    func sent(_ kind: Model.Kind) -> Model.Kind {
        switch kind {
        case .structure(var structure):
            structure.properties = structure.properties.compactMap { property in
                if property.isReadOnly { return nil }
                var property = property
                property.type = sent(property.type)
                return property
            }
            structure.additional = structure.additional.map(sent)
            return .structure(structure)
        case .union(var union):
            union.cases = union.cases.map { one in
                var one = one
                one.type = sent(one.type)
                return one
            }
            return .union(union)
        case .alias, .openEnum, .pending: return kind
        }
    }
}
