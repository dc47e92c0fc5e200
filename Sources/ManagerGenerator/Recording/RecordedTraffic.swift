import DiscreteNetworkingJSON
import Foundation

/// Calls that somebody recorded, as HAR 1.2 or in cassettes of this framework, turned into a description: for the many
/// backends that have none.
///
/// What calls have in common is all that is known: a member that was always there counts as required, and a param in the
/// query never does.
struct RecordedTraffic {
    private struct Endpoint: Hashable {
        let path: PathPattern
        let method: String

        var text: String { "\(method.uppercased()) \(path.text)" }
    }

    private let origin: String
    private let calls: [(call: RecordedCall, endpoint: Endpoint)]
    /// What was left out.
    let notes: [String]

    /// `nil` where the document is no recording.
    /// - Parameter templates: the paths that the user named, such as `/contents/{path}`.
    /// - Throws: ``GeneratorError`` where it has no call that could be used.
    init?(_ document: JSONValue, templates: [PathTemplate] = [], at place: Place) throws(GeneratorError) {
        guard let all = RecordedCall.all(in: document) else { return nil }
        let answered = all.filter { PathItem.methods.contains($0.method) && $0.status > 0 }
        let origins = Dictionary(grouping: answered.filter { $0.status < 500 }, by: \.origin)
        guard let (origin, _) = origins.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) })
        else {
            throw GeneratorError(
                "The recording has no call with a response; record the traffic again.", at: place)
        }
        self.origin = origin
        var notes: [String] = []
        var endpoints: [Endpoint: [RecordedCall]] = [:]
        var pages: Set<String> = []
        for call in answered where call.origin == origin {
            let template = templates.first { $0.values(in: call.segments) != nil }
            guard template != nil || call.isData else {
                pages.insert("\(call.method.uppercased()) \(call.components.percentEncodedPath)")
                continue
            }
            let path =
                template.map(PathPattern.init)
                ?? PathPattern(call.segments, endsInSlash: call.components.path.hasSuffix("/"))
            endpoints[Endpoint(path: path, method: call.method), default: []].append(call)
        }
        var calls: [(RecordedCall, Endpoint)] = []
        for (endpoint, own) in endpoints.sorted(by: { $0.key.text < $1.key.text }) {
            guard own.contains(where: { 200..<400 ~= $0.status }) else {
                let statuses = Set(own.map(\.status)).sorted().map(String.init).joined(separator: ", ")
                notes.append("\(endpoint.text) was only seen with status \(statuses); it is left out.")
                continue
            }
            calls += own.filter { $0.status < 500 }.map { ($0, endpoint) }
        }
        if !pages.isEmpty {
            let others = pages.count > 5 ? " and \(pages.count - 5) more" : ""
            notes.append(
                "Pages and files were left out: \(pages.sorted().prefix(5).joined(separator: ", "))\(others). To include one, name its path with --path."
            )
        }
        guard !calls.isEmpty else {
            throw GeneratorError(
                "The recording has no call that succeeded with JSON. " + notes.joined(separator: " "),
                at: place)
        }
        self.calls = calls
        self.notes = notes
    }

    /// OpenAPI 3.1.
    var description: JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for (endpoint, calls) in Dictionary(grouping: calls, by: \.endpoint) {
            paths[endpoint.path.text, default: [:]][endpoint.method] = operation(endpoint, calls.map(\.call))
        }
        var document: [String: JSONValue] = [
            "openapi": "3.1.0", "servers": [["url": .string(origin)]],
            "info": ["title": .string(URL(string: origin)?.host ?? "Recorded"), "version": "recorded"],
            "paths": .object(paths.mapValues(JSONValue.object)),
        ]
        let isBearer = calls.contains { call, _ in
            call.requestHeader("authorization")?.lowercased().hasPrefix("bearer") == true
        }
        if isBearer {
            document["components"] = ["securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]]]
            document["security"] = [["bearer": []]]
        }
        return .object(document)
    }

    private func operation(_ endpoint: Endpoint, _ calls: [RecordedCall]) -> JSONValue {
        var operation: [String: JSONValue] = [
            "description": .string(
                "Inferred from \(calls.count) recorded call\(calls.count == 1 ? "" : "s")."),
            "parameters": .array(pathParameters(endpoint, calls) + queryParameters(calls)),
        ]
        if let body = requestBody(calls) { operation["requestBody"] = body }
        var responses: [String: JSONValue] = [:]
        for (status, calls) in Dictionary(grouping: calls, by: \.status) where status != 304 {
            responses[String(status)] = response(calls)
        }
        operation["responses"] = .object(responses)
        return .object(operation)
    }

    // MARK: Parameters

    private func pathParameters(_ endpoint: Endpoint, _ calls: [RecordedCall]) -> [JSONValue] {
        endpoint.path.names.enumerated().map { position, name in
            let texts = calls.compactMap { call -> String? in
                let values = endpoint.path.values(in: call.segments)
                return position < values.count ? values[position] : nil
            }
            return parameter(name, "path", texts, isRequired: true, isList: false, count: calls.count)
        }
    }

    private func queryParameters(_ calls: [RecordedCall]) -> [JSONValue] {
        var values: [String: [[String]]] = [:]
        for call in calls {
            let items = Dictionary(grouping: call.components.queryItems ?? [], by: \.name)
            for (name, items) in items { values[name, default: []].append(items.compactMap(\.value)) }
        }
        return values.sorted { $0.key < $1.key }.map { name, lists in
            parameter(
                name, "query", lists.flatMap(\.self), isRequired: false,
                isList: lists.contains { $0.count > 1 },
                count: lists.count)
        }
    }

    private func parameter(
        _ name: String, _ place: String, _ texts: [String], isRequired: Bool, isList: Bool, count: Int
    ) -> JSONValue {
        // What was hidden says nothing of its type.
        let known = texts.filter { !$0.contains("redacted") }
        let schema = known.isEmpty ? ["type": "string"] : SchemaInference.schema(ofTexts: known)
        var members: [String: JSONValue] = [
            "name": .string(name), "in": .string(place), "required": .bool(isRequired),
            "schema": isList ? ["type": "array", "items": schema] : schema,
        ]
        if !isRequired {
            members["description"] = .string("Seen in \(count) recorded call\(count == 1 ? "" : "s").")
        }
        if !isList, let first = known.first, let example = Self.example(first, schema) {
            members["example"] = example
        }
        return .object(members)
    }

    private static func example(_ text: String, _ schema: JSONValue) -> JSONValue? {
        switch schema["type"]?.string {
        case "integer": Int64(text).map { .number(JSONNumber($0)) }
        case "boolean": .bool(text == "true")
        default: .string(text)
        }
    }

    // MARK: Bodies

    private func requestBody(_ calls: [RecordedCall]) -> JSONValue? {
        let bodies = calls.compactMap { $0.request["postData"] }
        guard let first = bodies.first else { return nil }
        let mimeType = RecordedCall.mediaType(first) ?? "application/json"
        let schema: JSONValue
        switch MediaType.kind(mimeType) {
        case .json:
            let values = bodies.compactMap(RecordedCall.json)
            guard !values.isEmpty else { return nil }
            schema = SchemaInference.schema(of: values)
        case .form, .multipart:
            var fields: [String: JSONValue] = [:]
            for body in bodies {
                for field in body["params"]?.array ?? [] {
                    guard let name = field["name"]?.string else { continue }
                    let isFile = field["fileName"]?.string != nil
                    fields[name] = isFile ? ["type": "string", "format": "binary"] : ["type": "string"]
                }
            }
            schema = ["type": "object", "properties": .object(fields)]
        case .text, .events: schema = ["type": "string"]
        case .xml, .binary: schema = ["type": "string", "format": "binary"]
        }
        return [
            "required": .bool(bodies.count == calls.count),
            "content": .object([mimeType: ["schema": schema]]),
        ]
    }

    private func response(_ calls: [RecordedCall]) -> JSONValue {
        let contents = calls.map(\.content)
        let text = "Inferred from \(calls.count) recorded response\(calls.count == 1 ? "" : "s")."
        guard let mimeType = contents.lazy.compactMap(RecordedCall.mediaType).first else {
            return ["description": .string(text)]
        }
        var media: JSONValue = [:]
        if MediaType.kind(mimeType) == .json {
            let values = contents.compactMap(RecordedCall.json)
            var schema = SchemaInference.schema(of: values)
            if case .object(var members) = schema, !values.isEmpty {
                members["description"] = .string(text)
                schema = .object(members)
            }
            media = ["schema": schema]
        }
        return ["description": .string(text), "content": .object([mimeType: media])]
    }
}
