extension ManagerEmitter {
    func emitArguments(_ operation: Operation, _ arguments: [Parameter], to source: inout Source) {
        source.space()
        let scope = [operation.managerName, "Arguments"]
        var models = models
        models.names = names.in(scope)
        source.block("public nonisolated struct Arguments: ParamsConvertible") { source in
            for parameter in arguments {
                source.documentation(parameter.documentation)
                models.emitProperty(
                    parameter.name, type(parameter), isBoxed: isBoxed(parameter), to: &source)
            }
            source.space()
            let items = arguments.map { models.parameter(SwiftName.escaped($0.name), type($0)) }
            source.block("public init(", items, ")") { source in
                for parameter in arguments {
                    let value = SwiftName.escaped(parameter.name)
                    source.add(
                        models.assignment(parameter.name, value, type(parameter), isBoxed: isBoxed(parameter))
                    )
                }
            }
            source.space()
            let pairs = arguments.map { "\(Literal.string($0.key)): \(value($0))" }.joined(separator: ", ")
            let line = "public var params: Params { [\(pairs)] }"
            // A longer literal would take the compiler longer than the statements do.
            if arguments.count <= 4, source.fits(line) {
                source.add(line)
                return models.emitNested(in: scope, to: &source)
            }
            source.block("public var params: Params") { source in
                source.add("var params = Params()")
                for parameter in arguments {
                    source.list("params.set(", [Literal.string(parameter.key), value(parameter)], ")")
                }
                source.add("return params")
            }
            models.emitNested(in: scope, to: &source)
        }
    }

    func type(_ parameter: Parameter) -> SwiftType {
        parameter.isRequired ? parameter.type : parameter.type.orOmitted
    }

    private func isBoxed(_ parameter: Parameter) -> Bool { models.storage.isLarge(type(parameter)) }

    /// The expression for the value that is sent.
    private func value(_ parameter: Parameter) -> String {
        let name = SwiftName.escaped(parameter.name)
        let type = type(parameter)
        if parameter.location == .path, !isOneText(type) {
            return
                "ParamLocation.header\(parameter.explodes ? "(explode: true)" : "").text(of: \(name))"
        }
        if case .json = parameter.location, parameter.isRequired, type.isOptional {
            return "\(name)?.jsonValue ?? .null"
        }
        return name
    }

    private func isOneText(_ type: SwiftType) -> Bool {
        let type = names.resolved(type)
        return type.isScalar || names.openEnum(type) != nil
    }

    // MARK: Bodies and failures

    /// Bodies of bytes: properties and arguments of the initializer.
    func emitBody(_ body: Body, to source: inout Source) {
        var fields:
            [(
                property: String, label: String, type: String, isRequired: Bool, initial: String,
                documentation: String?
            )] = []
        switch body {
        case .raw(_, let isRequired):
            fields = [("body", "body", "RequestBody", isRequired, " = .none", "What is sent.")]
        case .multipart(let parts):
            fields = parts.sorted { $0.isRequired && !$1.isRequired }.map { part in
                let type = part.isList ? "[RequestBody]" : part.isRequired ? "RequestBody" : "RequestBody?"
                let initial = part.isList ? " = []" : " = nil"
                return (
                    part.property, SwiftName.escaped(part.name), type, part.isRequired, initial,
                    part.documentation
                )
            }
        }
        guard !fields.isEmpty else { return }
        source.space()
        for field in fields {
            source.documentation(field.documentation)
            source.add("public var \(field.property): \(field.type)")
        }
        source.space()
        let items = fields.map { "\($0.label): \($0.type)\($0.isRequired ? "" : $0.initial)" }
        source.block("public init(", items, ")") { source in
            for field in fields { source.add("self.\(field.property) = \(field.label)") }
        }
    }
}
