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

    /// A path without the slash that it begins with.
    func methodName(_ path: String, _ parameters: [Parameter]) -> String {
        parameters.filter { !$0.pathPrefix.isEmpty }.reduce(String(path.drop { $0 == "/" })) {
            path, parameter in
            let place = "{\(parameter.wireName)}"
            return path.replacingOccurrences(of: place, with: parameter.pathPrefix + place)
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
