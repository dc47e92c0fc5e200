import DiscreteNetworkingJSON

/// Reads the responses of an operation.
struct ResponseReader {
    let schemas: Schemas
    let report: Report
    let words: [String]
    /// The media types of Swagger 2.0.
    let produces: [String]
    let ownProduces: Bool

    private var description: Description { schemas.description }

    func read(_ operation: Node, isHead: Bool) throws(GeneratorError) -> (
        output: Output, failures: [FailureBody], stream: Output?
    ) {
        var responses: [(status: String, node: Node)] = []
        for (status, node) in try operation.object("responses")?.members ?? [] where !status.hasPrefix("x-") {
            responses.append((status, try description.resolve(node)))
        }
        let successes = responses.filter { $0.status.hasPrefix("2") }
        // A response to HEAD has no body, whatever its description says.
        let contents = try successes.map { response throws(GeneratorError) in
            isHead ? nil : try content(of: response.node)
        }
        let main = contents.firstIndex { $0 != nil } ?? (successes.isEmpty ? nil : 0)
        var failures = responses.filter { ["4", "5", "d"].contains($0.status.prefix(1)) }
        var output: Output
        if let main {
            output = try self.output(
                successes[main].status, contents[main], place: successes[main].node.place)
            let isSometimesEmpty = contents.contains { $0 == nil } && contents[main] != nil
            if isSometimesEmpty, case .model(let type) = output.kind {
                output = Output(
                    kind: .model(type.orNull), status: output.status, contentType: output.contentType,
                    schema: output.schema, example: output.example)
            }
        } else if let fallback = responses.first(where: { $0.status == "default" }) {
            output = try self.output("200", try content(of: fallback.node), place: fallback.node.place)
            failures.removeAll { $0.status == "default" }
        } else if responses.contains(where: { $0.status.hasPrefix("3") }) {
            // A redirect is followed; nobody says where to.
            output = Output(kind: .data, status: 200, contentType: nil, schema: nil, example: nil)
        } else {
            output = try self.output("200", try content(of: operation), place: operation.place)
        }
        if let main {
            let headers = try successes[main].node.object("headers")?.members ?? []
            output.hasLink = headers.contains { $0.name.lowercased() == "link" }
        }
        if let main { try reportOthers(successes, contents, main) }
        reportProduced(operation, contents.lazy.compactMap(\.self).first)
        var stream: Output?
        if let main, output.kind != .events, !isHead { stream = try self.stream(successes[main]) }
        if isHead {
            output = Output(
                kind: .noContent, status: output.status, contentType: nil, schema: nil, example: nil)
        }
        var bodies = try failures.isEmpty ? [] : bodies(of: failures)
        for index in bodies.indices where bodies[index].statuses.contains(where: { Int($0) == nil }) {
            let own = Set(bodies[index].statuses)
            bodies[index].others = responses.map(\.status).filter { !own.contains($0) && !$0.hasPrefix("x-") }
        }
        return (output, bodies, stream)
    }

    /// The events of a response that may be JSON as well.
    private func stream(_ response: (status: String, node: Node)) throws(GeneratorError) -> Output? {
        let mediaTypes =
            description.version == .swagger2
            ? produces : try response.node.object("content")?.members.map(\.name) ?? []
        guard let mediaType = mediaTypes.first(where: { MediaType.kind($0) == .events }) else { return nil }
        return Output(
            kind: .events, status: Int(response.status) ?? 200, contentType: mediaType, schema: nil,
            example: nil)
    }

    /// Names the successful responses and the media types that the manager does not read.
    private func reportOthers(
        _ successes: [(status: String, node: Node)], _ contents: [Content?], _ main: Int
    ) throws(GeneratorError) {
        for (index, response) in successes.enumerated() {
            if description.version != .swagger2, let content = contents[index] {
                let others = try response.node.object("content")?.members.map(\.name) ?? []
                let unread = others.filter { $0 != content.mediaType && MediaType.kind($0) != .events }
                if !unread.isEmpty {
                    report.add(
                        "may also be \(unread.joined(separator: ", ")); the manager asks for \(content.mediaType).",
                        at: response.node.place)
                }
            }
            guard index != main, let other = contents[index], let known = contents[main] else { continue }
            let schemas = try [other, known].map { content throws(GeneratorError) in
                try content.schema.map { schema throws(GeneratorError) in try description.schema(schema) }
            }
            guard !Self.areSame(schemas[0], schemas[1]) else { continue }
            report.add(
                "has another schema than status \(successes[main].status); the manager reads the latter, and a response with status \(response.status) may fail to decode. Give both statuses one schema, or read the other one in a manager of your own.",
                at: response.node.place)
        }
    }

    /// Whether two schemas are one, or say the same with references from one document.
    private static func areSame(_ first: Node?, _ second: Node?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return first.place == second.place
            || first.place.document == second.place.document && first.value == second.value
    }

    /// Names the media types of Swagger 2.0 that the manager does not read; once where they are those of all operations.
    private func reportProduced(_ operation: Node, _ content: Content?) {
        guard let content, description.version == .swagger2 else { return }
        let unread = produces.filter { $0 != content.mediaType && MediaType.kind($0) != .events }
        guard !unread.isEmpty else { return }
        let list = unread.joined(separator: ", ")
        report.add(
            ownProduces
                ? "may also produce \(list); the manager asks for \(content.mediaType)."
                : "may also produce \(list); managers ask for \(content.mediaType).",
            at: ownProduces ? operation.place : description.root.place)
    }

    private struct Content {
        let mediaType: String
        let media: Node
        let schema: Node?
    }

    /// The body of a response; `nil` where it has none.
    private func content(of response: Node) throws(GeneratorError) -> Content? {
        guard description.version == .swagger2 else {
            guard let content = try response.object("content"),
                let (mediaType, media) = MediaType.preferred(content)
            else {
                return nil
            }
            return Content(mediaType: mediaType, media: media, schema: media["schema"])
        }
        // Many descriptions of Swagger 2.0 say what a response is, but not of what shape.
        guard response["schema"] != nil || (ownProduces && response.place.pointer.last != "204") else {
            return nil
        }
        let mediaType = produces.first { MediaType.kind($0) == .json } ?? produces.first ?? "application/json"
        return Content(mediaType: mediaType, media: response, schema: response["schema"])
    }

    private func output(_ status: String, _ content: Content?, place: Place) throws(GeneratorError) -> Output
    {
        let code = Int(status) ?? 200
        guard let content else {
            return Output(
                kind: .noContent, status: code == 200 ? 204 : code, contentType: nil, schema: nil,
                example: nil)
        }
        var kind: Output.Kind
        switch MediaType.kind(MediaType.sent(as: content.mediaType, content.schema)) {
        case .events: kind = .events
        case .text: kind = .string
        case .xml:
            report.add("is XML, which no model reads; it is Data.", at: content.media.place)
            kind = .data
        case .json: kind = try json(content)
        case .binary, .multipart, .form: kind = .file
        }
        if case .model(.string) = kind, MediaType.kind(content.mediaType) != .json { kind = .string }
        let example =
            content.media["example"]?.value ?? content.media["examples"]?.members.first?.node["value"]?.value
            ?? content.media["examples"]?[content.mediaType]?.value
        return Output(
            kind: kind, status: code, contentType: content.mediaType,
            schema: try content.schema.map { schema throws(GeneratorError) in try description.schema(schema)
            },
            example: example)
    }

    private func json(_ content: Content) throws(GeneratorError) -> Output.Kind {
        guard let schema = content.schema else {
            report.add("has no schema; it is JSONValue.", at: content.media.place)
            return .model(.json)
        }
        let type = try schemas.type(
            of: schema, Schemas.Name(of: content.media, words, ["response"]), allowsFile: true)
        if type.wrapped == .file { return .file }
        // A manager's Data and String are the bytes themselves; JSON strings are decoded by way of JSONValue.
        if [.string, .data].contains(type.wrapped) {
            report.add(
                "is a JSON string; it is JSONValue, because String as an output is the text itself.",
                at: content.media.place)
            return .model(.json)
        }
        if type == .json, schema.value == [:] || schema.value.bool == true {
            report.add("has an empty schema; it is JSONValue.", at: content.media.place)
        }
        return .model(type)
    }

    /// The models of failures, each with the statuses that have it.
    private func bodies(of failures: [(status: String, node: Node)]) throws(GeneratorError) -> [FailureBody] {
        var bodies: [(type: SwiftType, statuses: [String])] = []
        var positions: [SwiftType: Int] = [:]
        for (status, node) in failures {
            guard let content = try content(of: node), let schema = content.schema else { continue }
            guard MediaType.kind(content.mediaType) == .json else {
                report.add(
                    "is \(content.mediaType), of which there is no model; the error's response has the bytes.",
                    at: content.media.place)
                continue
            }
            let type = try schemas.nonNull(
                schema, Schemas.Name(of: content.media, words, ["failure", status]))
            guard case .model = type else {
                if type == .json { continue }
                report.add(
                    "is no object with known properties; the error's response has the bytes.",
                    at: content.media.place)
                continue
            }
            if let known = positions[type] {
                bodies[known].statuses.append(status)
            } else {
                positions[type] = bodies.count
                bodies.append((type, [status]))
            }
        }
        return bodies.map { FailureBody(statuses: $0.statuses, type: $0.type) }
    }
}
