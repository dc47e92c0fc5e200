import DiscreteNetworkingJSON
import Foundation

/// Calls that somebody recorded, as HAR 1.2 or in cassettes of this framework, turned into a description: for the many
/// backends that have none.
///
/// What calls have in common is all that is known: a member that was always there counts as required, and a param in the
/// query never does.
struct RecordedTraffic {
    private struct Call {
        let method: String
        let components: URLComponents
        let request: JSONValue
        let response: JSONValue

        var segments: [String] { components.path.split(separator: "/").map(String.init) }
        var status: Int { response["status"]?.int ?? 0 }
    }

    private struct Endpoint: Hashable {
        let path: PathPattern
        let method: String
    }

    private let origin: String
    private let calls: [Call]

    /// `nil` where the document is no recording.
    /// - Throws: ``GeneratorError`` where it has no call that could be used.
    init?(_ document: JSONValue, at place: Place) throws(GeneratorError) {
        guard let entries = document["log"]?["entries"]?.array else { return nil }
        let calls = entries.compactMap { entry -> Call? in
            guard let request = entry["request"], let response = entry["response"],
                let method = request["method"]?.string?.lowercased(),
                OperationReader.methods.contains(method),
                let components = request["url"]?.string.flatMap({ URLComponents(string: $0) }),
                components.host != nil,
                200..<500 ~= response["status"]?.int ?? 0
            else { return nil }
            return Call(method: method, components: components, request: request, response: response)
        }
        let origins = Dictionary(grouping: calls) { Self.origin(of: $0.components) }
        guard let (origin, own) = origins.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) })
        else {
            throw GeneratorError("The recording has no call that was answered.", at: place)
        }
        self.origin = origin
        self.calls = own
    }

    private static func origin(of components: URLComponents) -> String {
        let port = components.port.map { ":\($0)" } ?? ""
        return "\(components.scheme ?? "https")://\(components.host ?? "")\(port)"
    }

    /// OpenAPI 3.1.
    var description: JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        let endpoints = Dictionary(grouping: calls) {
            let path = PathPattern($0.segments, endsInSlash: $0.components.path.hasSuffix("/"))
            return Endpoint(path: path, method: $0.method)
        }
        for (endpoint, calls) in endpoints {
            paths[endpoint.path.text.isEmpty ? "/" : endpoint.path.text, default: [:]][endpoint.method] =
                operation(endpoint, calls)
        }
        var document: [String: JSONValue] = [
            "openapi": "3.1.0", "servers": [["url": .string(origin)]],
            "info": ["title": .string(URL(string: origin)?.host ?? "Recorded"), "version": "recorded"],
            "paths": .object(paths.mapValues(JSONValue.object)),
        ]
        if calls.contains(where: {
            header("authorization", $0.request)?.lowercased().hasPrefix("bearer") == true
        }) {
            document["components"] = ["securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]]]
        }
        return .object(document)
    }

    private func header(_ name: String, _ message: JSONValue) -> String? {
        message["headers"]?.array?.first { $0["name"]?.string?.lowercased() == name }?["value"]?.string
    }

    private func operation(_ endpoint: Endpoint, _ calls: [Call]) -> JSONValue {
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

    private func pathParameters(_ endpoint: Endpoint, _ calls: [Call]) -> [JSONValue] {
        endpoint.path.names.enumerated().map { position, name in
            let texts = calls.compactMap { call -> String? in
                let values = call.segments.filter(PathPattern.isIdentifier)
                return position < values.count ? values[position] : nil
            }
            return parameter(name, "path", texts, isRequired: true, isList: false, count: calls.count)
        }
    }

    private func queryParameters(_ calls: [Call]) -> [JSONValue] {
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

    private func requestBody(_ calls: [Call]) -> JSONValue? {
        let bodies = calls.compactMap { $0.request["postData"] }
        guard let first = bodies.first else { return nil }
        let mimeType = mediaType(first) ?? "application/json"
        let schema: JSONValue
        switch MediaType.kind(mimeType) {
        case .json:
            let values = bodies.compactMap(json)
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

    private func response(_ calls: [Call]) -> JSONValue {
        let contents = calls.compactMap { $0.response["content"] }
        let text = "Inferred from \(calls.count) recorded answer\(calls.count == 1 ? "" : "s")."
        guard let mimeType = contents.lazy.compactMap(mediaType).first else {
            return ["description": .string(text)]
        }
        var media: JSONValue = [:]
        if MediaType.kind(mimeType) == .json {
            let values = contents.compactMap(json)
            var schema = SchemaInference.schema(of: values)
            if case .object(var members) = schema, !values.isEmpty {
                members["description"] = .string(text)
                schema = .object(members)
            }
            media = ["schema": schema]
        }
        return ["description": .string(text), "content": .object([mimeType: media])]
    }

    private func mediaType(_ content: JSONValue) -> String? {
        let type = content["mimeType"]?.string?.split(separator: ";").first.map(String.init)
        return type.flatMap { $0.isEmpty || $0 == "x-unknown" ? nil : $0 }
            ?? (content["_json"] != nil ? "application/json" : nil)
    }

    private func json(_ content: JSONValue) -> JSONValue? {
        if let json = content["_json"] { return json }
        guard let text = content["text"]?.string else { return nil }
        let isEncoded = content["encoding"]?.string == "base64"
        let data = isEncoded ? Data(base64Encoded: text) : Data(text.utf8)
        return data.flatMap { try? JSONValue(parsing: $0) }
    }
}
