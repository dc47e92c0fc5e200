import Foundation

extension ParameterReader {
    static func templateNames(_ path: String) -> [String] {
        path.split(separator: "{").dropFirst().compactMap {
            $0.split(separator: "}", omittingEmptySubsequences: false).first
        }
        .map(String.init)
    }

    /// The path with the names of its parameters.
    ///
    /// Frameworks write them in capitals (`{Id}`), with a type (`{id:int}`), or with a pattern of several segments
    /// (`{proxy+}`, `{*path}`, `{name=shelves/*}`).
    func template(_ path: String, of operation: Node, in item: Node) throws(GeneratorError) -> String {
        let names = try nodes(of: operation, in: item).filter { $0.string("in") == "path" }
            .compactMap { $0.string("name") }
        var template = path
        for place in Self.templateNames(path) where !names.contains(place) {
            let plain = place.prefix { !":=".contains($0) }
                .trimmingCharacters(in: CharacterSet(charactersIn: "+*.?")).lowercased()
            guard let name = names.first(where: { $0.lowercased() == plain }) else { continue }
            if place.contains(where: { "+*".contains($0) }) {
                report.add(
                    "has several segments in its \(name); a slash in its value is sent as %2F.",
                    at: operation.place)
            }
            template = template.replacingOccurrences(of: "{\(place)}", with: "{\(name)}")
        }
        return template
    }

    /// What the styles `label` and `matrix` write before a value.
    static func pathPrefix(_ node: Node, _ name: String) -> String {
        switch node.string("style") {
        case "label": "."
        case "matrix": ";\(name)="
        default: ""
        }
    }

    /// Whether a description says that a text in a path may be empty. A length that has no limit does not say so: the path
    /// of `/users/{id}` without a value may be another endpoint.
    func mayBeEmpty(_ node: Node, _ schema: Node) throws(GeneratorError) -> Bool {
        let schema = try schemas.description.schema(schema)
        let values =
            [node["example"], schema["default"], schema["example"]] + (schema["examples"]?.elements ?? [])
        if node.flag("allowEmptyValue") || schema["minLength"]?.value.int == 0 { return true }
        if values.contains(where: { $0?.string?.isEmpty == true }) { return true }
        // As Matrix does: "Defaults to the empty string."
        let texts = [node, schema].compactMap { $0.string("description") }
        return texts.joined(separator: ". ").lowercased().components(separatedBy: ". ").contains { sentence in
            let words = Words.split(sentence)
            return sentence.contains("empty string") && !words.contains { Self.negations.contains($0) }
        }
    }

    private static let negations: Set<String> = ["not", "non", "never", "cannot", "no", "isn"]

    /// A path without the slash that it begins with.
    func methodName(_ path: String, _ parameters: [Parameter]) -> String {
        parameters.filter { !$0.pathPrefix.isEmpty || $0.mayBeEmpty }
            .reduce(String(path.drop { $0 == "/" })) { path, parameter in
                let place = "{\(parameter.wireName)}"
                // A path that begins with an empty value would be another path.
                let mayBeEmpty = parameter.mayBeEmpty && !path.hasPrefix(place)
                let written = mayBeEmpty ? "{\(parameter.wireName)=}" : place
                return path.replacingOccurrences(of: place, with: parameter.pathPrefix + written)
            }
    }

    // MARK: Names

    /// Gives each parameter a name in Swift and a key among the params, both its own.
    func assignNames(_ parameters: inout [Parameter]) {
        var names = NameRegistry()
        var keys: Set<String> = []
        // What fills the path keeps its name; a body steps aside.
        let order = parameters.indices.sorted {
            rank(parameters[$0].location, $0) < rank(parameters[$1].location, $1)
        }
        for index in order {
            let parameter = parameters[index]
            let prefix =
                switch parameter.location {
                case .path: "path"
                case .query: "query"
                case .header: "header"
                case .cookie: "cookie"
                case .field: "form"
                case .json, .text: "request"
                }
            let isTaken = keys.contains(parameter.wireName)
            parameters[index].key = isTaken ? "\(prefix).\(parameter.wireName)" : parameter.wireName
            keys.insert(parameters[index].key)
            let name = SwiftName.member(parameter.wireName)
            parameters[index].name = names.unique(
                names.contains(name) ? SwiftName.member("\(prefix)_\(parameter.wireName)") : name)
        }
    }

    private func rank(_ location: Parameter.Location, _ index: Int) -> Int {
        switch location {
        case .path: index
        case .query: 1_000 + index
        case .header, .cookie, .field: 2_000 + index
        case .json, .text: 3_000 + index
        }
    }
}
