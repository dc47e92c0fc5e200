import DiscreteNetworkingJSON

/// The public surface of generated code, by which `--check` tells what a change breaks.
struct Surface: Equatable, Sendable {
    struct Argument: Equatable, Sendable {
        let type: String
        let isRequired: Bool
    }

    struct Endpoint: Equatable, Sendable {
        let manager: String
        let output: String
        let arguments: [String: Argument]
        /// Its service; empty for that of the whole description.
        var service = ""
        var body = ""
        var isDeprecated = false
    }

    struct Model: Equatable, Sendable {
        /// `struct`, `enum` or `union`.
        let kind: String
        /// Properties, values or cases by name.
        let members: [String: Argument]
        let isSent: Bool
    }

    /// By method and path.
    var endpoints: [String: Endpoint] = [:]
    /// By qualified name.
    var models: [String: Model] = [:]
}

extension Surface {
    init(
        _ operations: [Operation], names: TypeNames, used: Set<Int>, managers: ManagerEmitter,
        models emitter: ModelEmitter
    ) {
        for operation in operations {
            var arguments: [String: Argument] = [:]
            for parameter in operation.parameters {
                arguments[parameter.name] = Argument(
                    type: names.name(managers.type(parameter)),
                    isRequired: parameter.isRequired && names.constant(parameter.type) == nil)
            }
            if case .multipart(let parts)? = operation.body {
                for part in parts {
                    arguments[part.name] = Argument(
                        type: part.isList ? "[RequestBody]" : "RequestBody", isRequired: part.isRequired)
                }
            }
            var endpoint = Endpoint(
                manager: operation.managerName, output: managers.output(operation),
                arguments: arguments)
            if case .raw(let contentType, _)? = operation.body { endpoint.body = contentType }
            if operation.service.mainPrefix != nil { endpoint.service = operation.service.identifier }
            endpoint.isDeprecated = operation.isDeprecated
            endpoints[operation.endpoint] = endpoint
        }
        for index in used.sorted() {
            let model = names.models[index]
            let members: [String: Argument]
            let kind: String
            switch model.ownKind ?? model.kind {
            case .structure(let structure):
                kind = "struct"
                members = Dictionary(
                    structure.properties.map { property in
                        let type = emitter.type(property, in: model)
                        return (
                            property.name,
                            Argument(type: names.name(type), isRequired: !names.resolved(type).isOptional)
                        )
                    }, uniquingKeysWith: { $1 })
            case .openEnum(let open):
                kind = "enum"
                members = Dictionary(
                    open.cases.map { ($0.name, Argument(type: $0.value.canonicalText, isRequired: false)) },
                    uniquingKeysWith: { $1 })
            case .union(let union):
                kind = "union"
                members = Dictionary(
                    union.cases.map { ($0.name, Argument(type: names.name($0.type), isRequired: false)) },
                    uniquingKeysWith: { $1 })
            case .alias, .pending: continue
            }
            models[model.qualifiedName] = Model(kind: kind, members: members, isSent: model.isSent)
        }
    }

    // MARK: As JSON

    var json: JSONValue {
        .object([
            "endpoints": .object(
                endpoints.mapValues { endpoint in
                    var members: [String: JSONValue] = [
                        "manager": .string(endpoint.manager), "output": .string(endpoint.output),
                        "arguments": Self.json(endpoint.arguments),
                    ]
                    if !endpoint.service.isEmpty { members["service"] = .string(endpoint.service) }
                    if !endpoint.body.isEmpty { members["body"] = .string(endpoint.body) }
                    if endpoint.isDeprecated { members["deprecated"] = true }
                    return .object(members)
                }),
            "models": .object(
                models.mapValues { model in
                    .object([
                        "kind": .string(model.kind), "members": Self.json(model.members),
                        "sent": .bool(model.isSent),
                    ])
                }),
        ])
    }

    private static func json(_ arguments: [String: Argument]) -> JSONValue {
        .object(
            arguments.mapValues { .object(["type": .string($0.type), "required": .bool($0.isRequired)]) })
    }

    init(_ json: JSONValue) {
        for (endpoint, value) in json["endpoints"]?.object ?? [:] {
            endpoints[endpoint] = Endpoint(
                manager: value["manager"]?.string ?? "", output: value["output"]?.string ?? "",
                arguments: Self.arguments(value["arguments"]), service: value["service"]?.string ?? "",
                body: value["body"]?.string ?? "",
                isDeprecated: value["deprecated"]?.bool ?? false)
        }
        for (name, value) in json["models"]?.object ?? [:] {
            models[name] = Model(
                kind: value["kind"]?.string ?? "", members: Self.arguments(value["members"]),
                isSent: value["sent"]?.bool ?? false)
        }
    }

    private static func arguments(_ json: JSONValue?) -> [String: Argument] {
        (json?.object ?? [:]).mapValues {
            Argument(type: $0["type"]?.string ?? "", isRequired: $0["required"]?.bool ?? false)
        }
    }
}
