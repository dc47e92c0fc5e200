/// The properties of partial changes that a call sends, keeps or clears.
///
/// A merge patch (RFC 7396) clears a member that is `null`, and keeps one that is left out. So does a PATCH of most servers.
struct ClearableProperties {
    private let schemas: Schemas

    init(_ schemas: Schemas) { self.schemas = schemas }

    /// Gives optional properties that may be `null` three states, in models that calls only send, and some partial change does.
    func mark(for operations: [Operation]) {
        let bodies = operations.flatMap { operation in
            operation.parameters.filter { Self.isPartial($0, operation.method) }.map(\.type)
        }
        guard !bodies.isEmpty else { return }
        let names = TypeNames(models: schemas.models)
        for index in ModelGraph(schemas.models).reachable(from: bodies) {
            let model = schemas.models[index]
            guard !model.isReceived, case .structure(var structure) = model.kind else { continue }
            for position in structure.properties.indices where !structure.properties[position].isRequired {
                let type = names.resolved(structure.properties[position].type)
                guard type.isOptional else { continue }
                structure.properties[position].type = .optional(
                    .nullable(names.resolved(type.wrapped).wrapped))
            }
            schemas.models[index].kind = .structure(structure)
        }
    }

    private static func isPartial(_ parameter: Parameter, _ method: String) -> Bool {
        guard case .json(let contentType) = parameter.location else { return false }
        return method == "PATCH" || contentType.lowercased().hasPrefix("application/merge-patch+json")
    }
}
