import DiscreteNetworkingJSON

/// Reads the operations of a description.
final class OperationReader {
    let description: Description
    let schemas: Schemas
    let report: Report
    private var selection: Selection
    let services: Services
    /// Schemas of forms: their fields are arguments, so that they need no type.
    private(set) var formSchemas: Set<Place> = []

    /// What ids and paths begin with and names do not.
    var strippedPrefixes: [String] = []
    /// Whether a filter that matches no operation is an error.
    var checksFilters = true
    /// Whether a form's arrays of objects have no indexes.
    var hasBracketArrays = false

    private static let pathLimit = 8_192

    init(
        _ description: Description, schemas: Schemas, report: Report, selection: Selection, services: Services
    ) {
        self.services = services
        self.description = description
        self.schemas = schemas
        self.report = report
        self.selection = selection
    }

    func operations() throws(GeneratorError) -> [Operation] {
        var found: [(path: String, item: Node, method: String, node: Node)] = []
        for (path, node) in try description.root.object("paths")?.members ?? [] where path.hasPrefix("/") {
            let item = try description.resolve(node)
            guard item.value.object != nil else {
                throw GeneratorError("A path item is an object, not \(item.value.kindText).", at: node.place)
            }
            if node.value["$ref"] != nil,
                node.members.contains(where: { !["$ref", "summary", "description"].contains($0.name) })
            {
                report.add("has members beside its $ref; they are left out.", at: node.place)
            }
            for (method, operation) in PathItem.operations(of: item) {
                let operation = try description.resolve(operation)
                guard operation.value.object != nil, method.isToken else {
                    throw GeneratorError(
                        "has to be an operation, by the name of its method.", at: operation.place)
                }
                let tags = try operation.array("tags").compactMap(\.string)
                guard selection.includes(tags: tags, path: path, id: operation.string("operationId")) else {
                    continue
                }
                if let problem = PathText(path).problem {
                    report.add("\(problem); it is left out.", at: operation.place)
                    continue
                }
                guard path.utf8.count <= Self.pathLimit else {
                    report.add(
                        "has a path of more than \(Self.pathLimit) bytes, which no server takes; it is left out.",
                        at: operation.place)
                    continue
                }
                found.append((path, item, method, operation))
            }
        }
        if checksFilters { try selection.checkMatches() }
        var ids: [String: Place] = [:]
        for entry in found {
            guard let id = entry.node.string("operationId") else { continue }
            if let first = ids[id], first != entry.node.place {
                report.add(
                    "has the operationId \(id.debugDescription) of \(first); its manager has another name.",
                    at: entry.node.place)
            }
            ids[id] = ids[id] ?? entry.node.place
        }
        for keyword in ["webhooks"] where description.root[keyword] != nil {
            report.add(
                "are calls that the backend makes; a client has no manager for them.",
                at: description.root.place.appending(keyword))
        }
        let names = OperationNames(
            found.map { entry in
                let id = entry.node.string("operationId")
                return (
                    strippedPrefixes.stripping(entry.path), entry.method, id.map(strippedPrefixes.stripping)
                )
            })
        var operations: [Operation] = []
        var streams: [Operation] = []
        for (index, entry) in found.enumerated() {
            let (operation, stream) = try operation(
                entry.node, entry.method, path: entry.path, item: entry.item, words: names.words[index])
            operations.append(operation)
            if var variant = stream.map({ operation.answered(with: $0) }) {
                variant.managerName = schemas.uniqueName(
                    SwiftName.type(words: names.words[index] + ["stream", "manager"]), key: variant.endpoint)
                streams.append(variant)
            }
        }
        return operations + streams
    }

    private func operation(
        _ node: Node, _ method: String, path: String, item: Node, words: [String]
    ) throws(GeneratorError) -> (operation: Operation, stream: Output?) {
        let name = schemas.uniqueName(
            SwiftName.type(words: words.last?.lowercased() == "manager" ? words : words + ["manager"]),
            key: "\(method.uppercased()) \(path)")
        let reader = ParameterReader(
            schemas: schemas, report: report, manager: name, words: words, hasBracketArrays: hasBracketArrays)
        let text = PathText(path)
        let template = try reader.template(text.path, of: node, in: item)
        var parameters = try reader.parameters(of: node, in: item, path: template)
        drop(text.pairs.map(\.name), from: &parameters, at: node.place)
        var body: Body?
        if description.version != .swagger2, let request = node["requestBody"] {
            try read(request, into: &parameters, &body, reader)
        } else {
            try reader.readSwaggerBody(
                of: node, in: item, consumes: mediaTypes("consumes", node), &parameters, &body)
        }
        reader.assignNames(&parameters)
        if node["callbacks"] != nil {
            report.add(
                "are calls that the backend makes; a client has no manager for them.",
                at: node.place.appending("callbacks"))
        }
        let tags = try node.array("tags").compactMap(\.string)
        let segment = text.path.split(separator: "/").first { !$0.contains("{") }.map(String.init) ?? "Root"
        let answers = ResponseReader(
            schemas: schemas, report: report, words: words, produces: try mediaTypes("produces", node),
            ownProduces: node["produces"] != nil)
        let (output, failures, stream) = try answers.read(node, isHead: method == "head")
        if method == "get", output.kind == .noContent, node["responses"]?["204"] == nil {
            report.add("has no response with content; its manager reads no body.", at: node.place)
        }
        let service = try services.service(of: node, in: item, description)
        let own = Operation(
            place: node.place, service: service,
            method: method.uppercased(), path: path,
            methodName: reader.methodName(template, parameters) + (text.query.map { "?\($0)" } ?? ""),
            managerName: name, folder: Self.folder(tags.first ?? segment), tags: tags,
            documentation: Self.documentation(node), isDeprecated: node.flag("deprecated"),
            parameters: parameters, body: body, output: output, failures: failures,
            security: try Security(node["security"] ?? description.root["security"], description, report)
                .alternatives(of: service.schemes))
        return (own, stream)
    }

    /// Leaves out parameters whose values the query of the path fixes.
    private func drop(_ fixed: [String], from parameters: inout [Parameter], at place: Place) {
        parameters.removeAll { parameter in
            guard case .query = parameter.location, fixed.contains(parameter.wireName) else { return false }
            report.add("has \(parameter.wireName) in the query of its path; it is no argument.", at: place)
            return true
        }
    }

    /// The name of a folder, without what a reader would not see in it.
    private static func folder(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                Words.upperCamel(Words.split(text)).unicodeScalars.filter { !$0.isInvisible }))
    }

    private static func documentation(_ node: Node) -> String? {
        let texts = [node.string("summary"), node.string("description")].compactMap(\.self).filter {
            !$0.isEmpty
        }
        guard let first = texts.first else { return nil }
        return texts.count == 2 && texts[1] != first ? "\(first)\n\n\(texts[1])" : first
    }

    private func mediaTypes(_ keyword: String, _ node: Node) throws(GeneratorError) -> [String] {
        let own = node[keyword] != nil ? try node.array(keyword) : try description.root.array(keyword)
        return own.compactMap(\.string)
    }

    // MARK: The body of OpenAPI 3

    private func read(
        _ request: Node, into parameters: inout [Parameter], _ body: inout Body?, _ reader: ParameterReader
    ) throws(GeneratorError) {
        let request = try description.resolve(request)
        guard let content = try request.object("content"),
            let (range, media) = MediaType.preferred(content)
        else {
            return
        }
        let mediaType = MediaType.sent(as: range, media["schema"])
        if content.members.count > 1 {
            let others = content.members.map(\.name).filter { $0 != range }
            report.add(
                "may also be \(others.joined(separator: ", ")); it is sent as \(mediaType).",
                at: request.place)
        }
        let isRequired = request.flag("required")
        switch MediaType.kind(mediaType) {
        case .form, .multipart:
            guard let schema = media["schema"] else { return }
            let resolved = try description.schema(schema)
            formSchemas.insert(resolved.place)
            try reader.readFields(
                try schemas.fields(of: schema), encoding: media["encoding"],
                isMultipart: MediaType.kind(mediaType) == .multipart,
                areRequired: isRequired || request["required"] == nil,
                &parameters, &body)
        case .json:
            parameters.append(
                try reader.wholeBody(
                    media, documentation: request.string("description"), .json(contentType: mediaType),
                    isRequired))
        case .text, .events:
            parameters.append(
                try reader.wholeBody(
                    media, documentation: request.string("description"), .text(contentType: mediaType),
                    isRequired))
        case .binary, .xml:
            if MediaType.kind(mediaType) == .xml {
                report.add("is XML, which is sent as bytes.", at: media.place)
            }
            body = .raw(contentType: mediaType, isRequired: isRequired)
        }
    }
}
