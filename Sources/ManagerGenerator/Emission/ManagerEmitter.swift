import DiscreteNetworkingJSON

/// Writes managers.
struct ManagerEmitter {
    let names: TypeNames
    let models: ModelEmitter
    let pagings: [String: PagedOutput]

    func emit(_ operation: Operation, to source: inout Source) {
        let arguments = operation.arguments
        source.documentation(operation.documentation.map { $0 + "\n" })
        if operation.documentation != nil { source.add("///") }
        source.documentation("`\(operation.endpoint)`")
        if operation.isDeprecated { source.add("@available(*, deprecated)") }
        let paging = pagings[operation.managerName]
        let parent = paging == nil ? "APIManager" : "PagedAPIManager"
        let parents =
            ["\(parent)<\(output(operation))>"] + (arguments.isEmpty ? [] : ["APIManagerArguments"])
        source.type("open class \(operation.managerName)", parents) { source in
            source.add(
                "public let serviceIdentifier = ServiceIdentifier.\(SwiftName.escaped(operation.service.identifier))"
            )
            source.add("public let methodName = \(Literal.string(operation.methodName))")
            source.add("public let requestType\(Self.method(operation.method))")
            if let paging { source.add("public let paging = \(paging.expression)") }
            if let body = operation.body { emitBody(body, to: &source) }
            emitEncoding(operation, to: &source)
            if [.string, .data, .file, .events].contains(operation.output.kind) {
                emitAccept(operation.output, to: &source)
            }
            if operation.service.hasSession { emitSession(operation, to: &source) }
            if !arguments.isEmpty { emitArguments(operation, arguments, to: &source) }
            emitFailures(operation, to: &source)
        }
    }

    func output(_ operation: Operation) -> String {
        if let item = pagings[operation.managerName]?.arrayItem { return "ArrayPage<\(names.name(item))>" }
        return output(operation.output)
    }

    private func output(_ output: Output) -> String {
        switch output.kind {
        case .model(let type): names.name(type)
        case .noContent: "NoContent"
        case .string: "String"
        case .data: "Data"
        case .file: "DownloadedFile"
        case .events: "ByteStream"
        }
    }

    private static func method(_ method: String) -> String {
        isNamed(method)
            ? " = HTTPMethod.\(method.lowercased())" : ": HTTPMethod = \(Literal.string(method))"
    }

    /// Whether ``HTTPMethod`` has a constant for a method.
    static func isNamed(_ method: String) -> Bool {
        ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"].contains(method)
    }

    private func emitSession(_ operation: Operation, to source: inout Source) {
        switch operation.sessionUse {
        case .always: return
        case .never:
            source.space()
            source.add("/// It needs no login.")
            source.add("open override var usesSession: Bool { false }")
        case .service:
            source.space()
            source.documentation("Whether no other credential of its `security` is sent.")
            source.block("open override var usesSession: Bool") {
                let type = "\(operation.service.prefix)ServiceDescription"
                let service = "proxy.services.service(for: serviceIdentifier)"
                $0.add("let service = \(service) as? any \(type)")
                $0.list(
                    "return service?.usesSession(", [Literal.string(operation.securityKey)], ") ?? true")
            }
        }
    }

    // MARK: Where params go

    private func emitEncoding(_ operation: Operation, to source: inout Source) {
        var places = operation.parameters.compactMap { parameter in
            Self.place(parameter).map { (parameter.key, $0) }
        }
        places.sort { $0.0 < $1.0 }
        let items = places.map { "\(Literal.string($0)): \($1)" }
        switch operation.body {
        case nil:
            guard !places.isEmpty else { return }
            source.space()
            source.block("open override var encoding: (any ParamEncoding)?") {
                $0.list(".placed([", items, "])")
            }
        case .raw(let contentType, _)?:
            source.space()
            source.block("open override var encoding: (any ParamEncoding)?") {
                $0.list(
                    ".placed(",
                    [
                        items.isEmpty ? "[:]" : Source.Item("[", items, "]"),
                        "body: body", "contentType: \(Literal.string(contentType))",
                    ], ")")
            }
        case .multipart(let parts)? where parts.isEmpty:
            source.space()
            source.block("open override var encoding: (any ParamEncoding)?") {
                $0.list(
                    ".placed(",
                    [items.isEmpty ? "[:]" : Source.Item("[", items, "]"), "multipart: []"], ")")
            }
        case .multipart(let parts)?:
            source.space()
            source.block("open override var encoding: (any ParamEncoding)?") { source in
                source.add("var form = MultipartForm()")
                for part in parts { Self.emit(part, to: &source) }
                source.list(
                    "return .placed(",
                    [items.isEmpty ? "[:]" : Source.Item("[", items, "]"), "multipart: form"], ")")
            }
        }
    }

    private static func emit(_ part: Body.Part, to source: inout Source) {
        let name = part.property
        let isUsual = part.contentType == "application/octet-stream"
        let contentType = isUsual ? "" : ", contentType: \(Literal.string(part.contentType))"
        func append(_ value: String) -> [String] {
            [".content(\(value), named: \(Literal.string(part.wireName))\(contentType))"]
        }
        if part.isList {
            source.block("for file in \(name)") { $0.list("form.parts.append(", append("file"), ")") }
        } else if part.isRequired {
            source.list("form.parts.append(", append(name), ")")
        } else {
            source.block("if let \(name)") { $0.list("form.parts.append(", append(name), ")") }
        }
    }

    /// The place of a param; `nil` where it goes without saying.
    static func place(_ parameter: Parameter) -> String? {
        let name = parameter.key == parameter.wireName ? nil : "named: \(Literal.string(parameter.wireName))"
        func place(_ word: String, _ items: [String?]) -> String {
            let items = items.compactMap(\.self)
            return items.isEmpty ? word : "\(word)(\(items.joined(separator: ", ")))"
        }
        switch parameter.location {
        case .path: return nil
        case .query(let style):
            let explode = parameter.explodes == (style == .form) ? nil : "explode: \(parameter.explodes)"
            let word = style == .form ? nil : ".\(style.rawValue)"
            guard word != nil || explode != nil || name != nil else { return nil }
            let matters = word == nil && name == nil && parameter.type.wrapped.isScalar
            return matters ? nil : place(".query", [word, explode, name])
        case .header: return place(".header", [parameter.explodes ? "explode: true" : nil, name])
        case .cookie: return place(".cookie", [name])
        case .field(let style):
            let word = style == .form ? nil : ".\(style.rawValue)"
            let brackets = parameter.hasBracketArrays ? "objectArrays: .brackets" : nil
            return place(".field", [word, parameter.explodes ? nil : "explode: false", brackets, name])
        case .json(let contentType):
            return contentType == "application/json"
                ? ".json" : ".json(contentType: \(Literal.string(contentType)))"
        case .text(let contentType):
            return contentType == "text/plain"
                ? ".text()" : ".text(contentType: \(Literal.string(contentType)))"
        }
    }

    /// What the default headers, which ask for JSON, do not say.
    private func emitAccept(_ output: Output, to source: inout Source) {
        guard let contentType = output.contentType else { return }
        source.space()
        source.add(
            "open override var headers: [String: String] { [\"Accept\": \(Literal.string(contentType))] }")
    }
}
