import DiscreteNetworkingJSON
import Foundation

/// Reads the arguments of one operation.
struct ParameterReader {
    let schemas: Schemas
    let report: Report
    let manager: String
    let words: [String]
    /// Whether a form's arrays of objects have no indexes.
    var hasBracketArrays = false

    private var description: Description { schemas.description }
    private var scope: [String] { [manager, "Arguments"] }

    /// Those of the path item and of the operation, which win where both have one; in the order of the description.
    func nodes(of operation: Node, in item: Node) throws(GeneratorError) -> [Node] {
        var nodes: [Node] = []
        var positions: [[String?]: Int] = [:]
        for node in try item.array("parameters") + operation.array("parameters") {
            let node = try description.resolve(node)
            guard node.string("name") != nil, node.string("in") != nil else {
                throw GeneratorError("A parameter needs the members name and in.", at: node.place)
            }
            let key = [node.string("name"), node.string("in")]
            if let earlier = positions[key] {
                nodes[earlier] = node
            } else {
                positions[key] = nodes.count
                nodes.append(node)
            }
        }
        return nodes
    }

    func parameters(of operation: Node, in item: Node, path: String) throws(GeneratorError) -> [Parameter] {
        var parameters: [Parameter] = []
        let places = Self.templateNames(path)
        for node in try nodes(of: operation, in: item) {
            let name = node.string("name") ?? ""
            let location: Parameter.Location
            switch node.string("in") {
            case "path":
                guard places.contains(name) else {
                    report.add("is no part of the path \(path); it is left out.", at: node.place)
                    continue
                }
                location = .path
            case "query", "querystring": location = .query(style(node))
            case "header":
                guard !["accept", "content-type"].contains(name.lowercased()) else { continue }
                guard name.isToken else {
                    report.add(
                        "is no name of a header (RFC 9110, section 5.1); it is left out.", at: node.place)
                    continue
                }
                location = .header
            case "cookie": location = .cookie
            case "body", "formData": continue
            case let other:
                report.add("is in \(other ?? "nothing"), which is not known; it is left out.", at: node.place)
                continue
            }
            parameters.append(
                try parameter(node, name, location, isRequired: location == .path || node.flag("required")))
        }
        var described = Set(parameters.filter { $0.location == .path }.map(\.wireName))
        for name in places where described.insert(name).inserted {
            report.add("does not describe the \(name) of its path; it is a String.", at: operation.place)
            parameters.append(
                Parameter(
                    key: name, name: name, wireName: name, location: .path, explodes: false, type: .string,
                    isRequired: true, documentation: nil, schema: Node(value: [:], place: operation.place)))
        }
        return parameters
    }

    private func parameter(
        _ node: Node, _ name: String, _ location: Parameter.Location, isRequired: Bool
    ) throws(GeneratorError) -> Parameter {
        let media = try node.object("content")?.members.first
        let schema = media.map { $0.node["schema"] ?? $0.node } ?? node["schema"] ?? node
        var type: SwiftType = .string
        if let media, MediaType.kind(media.name) == .json, [.path, .header, .cookie].contains(location) {
            report.add("is a JSON text; it is a String.", at: media.node.place)
        } else {
            type = try schemas.type(of: schema, schemaName(node, name))
        }
        if location == .path { reportExploded(node, type.wrapped) }
        if node.flag("allowReserved") {
            report.add(
                "has allowReserved; reserved characters in its value are percent-encoded.", at: node.place)
        }
        // A path has no place for nothing.
        if location == .path { type = type.wrapped }
        var mayBeEmpty = false
        if location == .path, type == .string { mayBeEmpty = try self.mayBeEmpty(node, schema) }
        return Parameter(
            key: name, name: name, wireName: name, location: location, explodes: explodes(node, location),
            pathPrefix: location == .path ? Self.pathPrefix(node, name) : "",
            mayBeEmpty: mayBeEmpty, type: type,
            isRequired: isRequired, documentation: Schemas.documentation(node, schema),
            schema: Self.withExample(of: node, schema: try description.schema(schema)))
    }

    /// Reports a value with several parts in a path that repeats its prefix for each: `;p=a;p=b`, `.a.b` (RFC 6570).
    private func reportExploded(_ node: Node, _ type: SwiftType) {
        guard let style = node.string("style"), ["label", "matrix"].contains(style), node.flag("explode")
        else { return }
        switch type {
        case .array, .dictionary, .model:
            report.add(
                "is exploded in the style \(style); its parts are joined by a comma after one prefix.",
                at: node.place)
        default: break
        }
    }

    /// The name of a parameter's type: inside of its manager, but at the top level where several operations share it.
    private func schemaName(_ node: Node, _ name: String) -> Schemas.Name {
        if let shared = Schemas.sharedName(node.place) {
            let words = Words.split(shared)
            return Schemas.Name(words: words, longer: words + ["parameter"])
        }
        let pointer = node.place.pointer
        guard pointer.count == 4, pointer[0] == "paths", pointer[2] == "parameters" else {
            return Schemas.Name(words: Words.split(name), scope: scope)
        }
        // GET and DELETE of a path share it, whichever of them comes first.
        return Schemas.Name(words: Words.limited(Words.split(pointer[1]) + Words.split(name)))
    }

    /// A parameter's own example beats that of its schema.
    private static func withExample(of node: Node, schema: Node) -> Node {
        let example = node["example"]?.value ?? node["examples"]?.members.first?.node["value"]?.value
        guard let example, schema.value.object != nil else { return schema }
        return schema.with(["example": example])
    }

    private func style(_ node: Node) -> Parameter.Style {
        if let content = node["content"] {
            return content.members.first.map { MediaType.kind($0.name) == .json } == true ? .json : .form
        }
        switch node.string("collectionFormat") ?? node.string("style") {
        case "ssv", "spaceDelimited": return .spaceDelimited
        case "pipes", "pipeDelimited": return .pipeDelimited
        case "tsv": return .tabDelimited
        case "deepObject": return .deepObject
        default: return .form
        }
    }

    private func explodes(_ node: Node, _ location: Parameter.Location) -> Bool {
        if let explode = node["explode"]?.bool { return explode }
        switch location {
        case .query(.form), .field:
            return description.version == .swagger2 && node["type"] != nil
                ? node.string("collectionFormat") == "multi" : true
        default: return false
        }
    }

    // MARK: Bodies

    func wholeBody(
        _ media: Node, documentation: String?, _ location: Parameter.Location, _ isRequired: Bool
    ) throws(GeneratorError) -> Parameter {
        let schema = media["schema"]
        var type: SwiftType = .json
        if case .text = location {
            type = .string
        } else if let schema {
            type = try schemas.type(of: schema, Schemas.Name(of: media, words, ["body"]))
        }
        if schema == nil, case .json = location {
            report.add("has no schema; it is JSONValue.", at: media.place)
        }
        let resolved =
            try schema.map { schema throws(GeneratorError) in try description.schema(schema) }
            ?? Node(value: [:], place: media.place)
        return Parameter(
            key: "body", name: "body", wireName: "body", location: location, explodes: false, type: type,
            isRequired: isRequired, documentation: documentation,
            schema: Self.withExample(of: media, schema: resolved))
    }

    func readFields(
        _ fields: [(name: String, node: Node, isRequired: Bool)], encoding: Node?, isMultipart: Bool,
        areRequired: Bool,
        _ parameters: inout [Parameter], _ body: inout Body?
    ) throws(GeneratorError) {
        var parts: [Body.Part] = []
        var names = NameRegistry()
        for field in fields {
            let type = try schemas.type(
                of: field.node, Schemas.Name(words: Words.split(field.name), scope: scope), allowsFile: true)
            let resolved = try description.schema(field.node)
            let isList = type.wrapped == .array(.file)
            let isRequired = areRequired && field.isRequired
            if isMultipart, type.wrapped == .file || isList {
                let contentType = encoding?[field.name]?.string("contentType")?.split(separator: ",").first
                    .map(String.init)
                parts.append(
                    Body.Part(
                        wireName: field.name, name: names.unique(SwiftName.member(field.name)),
                        contentType: contentType.flatMap { $0.contains("*") ? nil : $0 }
                            ?? "application/octet-stream",
                        isRequired: isRequired, isList: isList,
                        documentation: Schemas.documentation(field.node, resolved)))
                continue
            }
            let sent: SwiftType = type.wrapped == .file ? .string : isList ? .array(.string) : type
            let style: Parameter.Style =
                encoding?[field.name]?.string("style") == "deepObject" ? .deepObject : .form
            let explode =
                encoding?[field.name]?["explode"]?.bool
                ?? field.node["collectionFormat"].map { $0.string == "multi" }
            parameters.append(
                Parameter(
                    key: field.name, name: field.name, wireName: field.name, location: .field(style),
                    explodes: explode ?? true,
                    hasBracketArrays: hasBracketArrays && style == .deepObject, type: sent,
                    isRequired: isRequired,
                    documentation: Schemas.documentation(field.node, resolved), schema: resolved))
        }
        if isMultipart { body = .multipart(parts) }
    }

    /// The body of Swagger 2.0, which stands among the parameters.
    func readSwaggerBody(
        of operation: Node, in item: Node, consumes: [String], _ parameters: inout [Parameter],
        _ body: inout Body?
    ) throws(GeneratorError) {
        let nodes = try nodes(of: operation, in: item)
        let fields = nodes.filter { $0.string("in") == "formData" }
        if !fields.isEmpty {
            let isMultipart =
                consumes.contains("multipart/form-data") || fields.contains { $0.string("type") == "file" }
            try readFields(
                fields.map { ($0.string("name") ?? "", $0, $0.flag("required")) }, encoding: nil,
                isMultipart: isMultipart,
                areRequired: true, &parameters, &body)
        }
        guard let node = nodes.first(where: { $0.string("in") == "body" }) else { return }
        let range = consumes.min { left, right in rank(left) < rank(right) } ?? "application/json"
        let mediaType = MediaType.sent(as: range, node["schema"])
        let others = consumes.filter { $0 != range }
        if !others.isEmpty {
            report.add(
                "may also be \(others.joined(separator: ", ")); it is sent as \(mediaType).", at: node.place)
        }
        let isRequired = node.flag("required")
        switch MediaType.kind(mediaType) {
        case .text:
            parameters.append(
                try wholeBody(
                    node, documentation: node.string("description"), .text(contentType: mediaType), isRequired
                ))
        case .binary, .xml, .multipart, .form, .events:
            body = .raw(contentType: mediaType, isRequired: isRequired)
        case .json:
            parameters.append(
                try wholeBody(
                    node, documentation: node.string("description"), .json(contentType: mediaType), isRequired
                ))
        }
    }

    private func rank(_ mediaType: String) -> Int { MediaType.kind(mediaType) == .json ? 0 : 1 }
}
