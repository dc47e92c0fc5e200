import DiscreteNetworkingJSON
import Foundation

/// What a description says of the backend as a whole.
struct ServiceDescription: Sendable {
    struct Server: Sendable {
        let url: String
        let documentation: String?
        /// As `ServiceEnvironment` has it; `nil` for one beside them.
        var environment: String?
    }

    /// How a caller proves who it is.
    struct Scheme: Sendable {
        enum Kind: Equatable, Sendable {
            /// A token in `Authorization`, from a login.
            case session
            /// Another token in `Authorization`, with what is before it.
            case token(String)
            case basic, digest
            case header(String)
            case query(String)
            case cookie(String)
        }

        let name: String
        let wireName: String
        let kind: Kind
        let documentation: String?
        /// What is before the session's token in `Authorization`.
        var prefix = "Bearer "
    }

    var identifier: String
    /// What the names of its types begin with.
    var prefix: String
    /// That of the service of the whole description, for one that only some operations have.
    var mainPrefix: String?
    let title: String
    let version: String
    var servers: [Server]
    let schemes: [Scheme]
    /// The alternatives of the description's own `security`.
    let security: [[Scheme]]

    var hasSession: Bool { schemes.contains { $0.kind == .session } }

    /// - Parameter identifier: `nil` takes the title of the description.
    init(_ description: Description, identifier: String?, report: Report) throws(GeneratorError) {
        let info = try description.root.object("info")
        title = info?.string("title") ?? "API"
        version = info?.string("version") ?? ""
        let named = Words.split(identifier ?? Self.short(title))
        let words = named.isEmpty ? ["backend"] : named
        self.identifier = SwiftName.member(identifier ?? Words.lowerCamel(words))
        prefix = SwiftName.typePrefix(words: words)
        servers = try Self.servers(of: description, report)
        schemes = try Self.oneSession(of: Self.schemes(description, report), description, report)
        security = try Security(description.root["security"], description, report).alternatives(of: schemes)
        assignEnvironments()
    }

    /// `Swagger Petstore - OpenAPI 3.0` is the petstore.
    private static func short(_ title: String) -> String {
        let generic: Set<String> = [
            "api", "the", "rest", "openapi", "swagger", "service", "org", "com", "io", "definition",
            "documentation",
        ]
        // GoToSocial is one word of a title, and three of a name.
        let words = title.replacingOccurrences(of: "OpenAPI", with: "")
            .split { !$0.isLetter && !$0.isNumber }.filter { word in
                !generic.contains(word.lowercased()) && !word.allSatisfy(\.isNumber)
            }
        return words.prefix(2).joined(separator: " ")
    }

    // MARK: Servers

    private static func servers(of description: Description, _ report: Report) throws(GeneratorError)
        -> [Server]
    {
        let root = description.root
        if description.version == .swagger2 {
            let host = root.string("host") ?? URL(string: root.place.document)?.host ?? ""
            let schemes = try root.array("schemes").compactMap(\.string)
            let scheme = schemes.contains("http") && !schemes.contains("https") ? "http" : "https"
            let path = root.string("basePath") ?? ""
            let isHost = !host.isEmpty && !host.contains { "/?#@\\".contains($0) }
            if isHost, let url = absolute("\(scheme)://\(host)\(path)", at: "") {
                return [Server(url: url, documentation: nil)]
            }
            report.add("names no host; the service calls http://localhost.", at: root.place)
            return [Server(url: absolute(path, at: "") ?? "http://localhost", documentation: nil)]
        }
        let servers = try servers(root.array("servers"), report)
        guard servers.isEmpty else { return servers }
        let origin = absolute("/", at: root.place.document) ?? "http://localhost"
        report.add(
            "names no server with a host; the service calls \(origin).",
            at: root.place.appending("servers"))
        return [Server(url: origin, documentation: nil)]
    }

    /// Servers of OpenAPI 3.
    static func servers(_ nodes: [Node], _ report: Report) throws(GeneratorError) -> [Server] {
        var servers: [Server] = []
        for node in nodes {
            guard let template = node.string("url") else { continue }
            var values: [String: String] = [:]
            var choices: [String] = []
            for (name, variable) in try node.object("variables")?.members ?? [] {
                values[name] = variable.string("default") ?? ""
                let values = try variable.array("enum").compactMap(\.string)
                if let choice = choice(values, variable) { report.add(choice, at: variable.place) }
                choices.append(
                    "`\(name)` is `\(variable.string("default") ?? "")`"
                        + (values.count > 1 ? ", or one of \(values.joined(separator: ", "))" : "") + ".")
            }
            guard let absolute = absolute(filled(template, values), at: node.place.document) else {
                report.add("is no URL that a request could go to; it is left out.", at: node.place)
                continue
            }
            let texts = [node.string("description")].compactMap(\.self) + choices
            servers.append(
                Server(url: absolute, documentation: texts.isEmpty ? nil : texts.joined(separator: " ")))
        }
        return servers
    }

    /// What a service does with a variable of which there are other values.
    private static func choice(_ values: [String], _ variable: Node) -> String? {
        guard let value = variable.string("default") else {
            return "has no default, and is empty in the URL. Set the server of the service."
        }
        let others = values.filter { $0 != value }
        if !values.isEmpty, others.isEmpty { return nil }
        let list = others.isEmpty ? "another text" : others.joined(separator: ", ")
        return "is \(value) in the URL. For \(list), set the server of the service."
    }

    /// The URL of a template. A value is not read as a template: values that name one another would grow without end.
    private static func filled(_ template: String, _ values: [String: String]) -> String {
        var url = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            url += rest[..<open]
            let name = rest[rest.index(after: open)...].prefix { $0 != "}" && $0 != "{" }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == "}", let value = values[String(name)]
            else {
                url += "{"
                rest = rest[rest.index(after: open)...]
                continue
            }
            url += value
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return url + rest
    }

    private static func absolute(_ text: String, at document: String) -> String? {
        let base =
            URL(string: document).flatMap { $0.host == nil ? nil : $0 } ?? URL(string: "http://localhost/")
        guard let url = URL(string: text, relativeTo: base)?.absoluteURL,
            ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host, !host.isEmpty,
            !host.contains("%"), url.user == nil,
            // Older systems make no URL of what is no URI (RFC 3986), and the generated code relies on it.
            url.absoluteString.utf8.allSatisfy({ 0x21..<0x7F ~= $0 && !#""<>\^`{|}"#.utf8.contains($0) })
        else { return nil }
        return trimmed(url.absoluteString)
    }

    private static func trimmed(_ url: String) -> String {
        String(url.reversed().drop { $0 == "/" }.reversed())
    }

    // MARK: Security

    private static func schemes(_ description: Description, _ report: Report) throws(GeneratorError)
        -> [Scheme]
    {
        var names = NameRegistry()
        var schemes: [Scheme] = []
        for (name, node) in try description.securitySchemes()?.members ?? [] {
            let node = try description.resolve(node)
            if node.string("type") == "apiKey", node.string("in") != "query",
                !(node.string("name") ?? name).isToken
            {
                report.add(
                    "is no name of a header or cookie (RFC 9110, section 5.1); it is left out.",
                    at: node.place)
                continue
            }
            let kind: Scheme.Kind
            switch (node.string("type"), node.string("scheme")?.lowercased(), node.string("in")) {
            case ("basic", _, _), ("http", "basic", _): kind = .basic
            case ("http", "digest", _): kind = .digest
            case ("http", "bearer", _), ("oauth2", _, _), ("openIdConnect", _, _): kind = .session
            case ("apiKey", _, "header") where node.string("name")?.lowercased() == "authorization":
                kind = .session
            case ("apiKey", _, "header"): kind = .header(node.string("name") ?? name)
            case ("apiKey", _, "query"): kind = .query(node.string("name") ?? name)
            case ("apiKey", _, "cookie"): kind = .cookie(node.string("name") ?? name)
            case (let type, let scheme, _):
                report.add(
                    "is \(scheme ?? type ?? "of no type"), which the service does not do; say it in its adapt(_:for:).",
                    at: node.place)
                continue
            }
            var scheme = Scheme(
                name: names.unique(SwiftName.member(name)), wireName: name, kind: kind,
                documentation: node.string("description"))
            if kind == .session, node.string("type") == "apiKey" {
                let prefix = TokenPrefix.prefix(in: "\(name) \(node.string("description") ?? "")")
                scheme.prefix = prefix ?? ""
                if prefix == nil {
                    report.add(
                        "names nothing before the key in Authorization, such as Bearer; the key is sent alone.",
                        at: node.place)
                }
            }
            schemes.append(scheme)
        }
        return schemes
    }

    /// Leaves the session to the scheme that the most operations name: another scheme's calls get no token of its.
    private static func oneSession(
        of schemes: [Scheme], _ description: Description, _ report: Report
    ) throws(GeneratorError) -> [Scheme] {
        let sessions = schemes.filter { $0.kind == .session }
        guard sessions.count > 1 else { return schemes }
        var counts: [String: Int] = [:]
        let root = description.root
        for (_, node) in try root.object("paths")?.members ?? [] {
            for operation in PathItem.operationNodes(of: try description.resolve(node)) {
                let operation = try description.resolve(operation)
                let security = try Security(operation["security"] ?? root["security"], description, Report())
                for name in Set(security.alternatives.joined()) { counts[name, default: 0] += 1 }
            }
        }
        let main = sessions.map(\.wireName).max { counts[$0, default: 0] < counts[$1, default: 0] }
        let declared = try description.securitySchemes()
        return schemes.map { scheme in
            guard scheme.kind == .session, scheme.wireName != main else { return scheme }
            let node = declared?[scheme.wireName]
            report.add(
                "has another token than \(main ?? ""), which the session has; set it in the credentials.",
                at: node?.place ?? root.place)
            return Scheme(
                name: scheme.name, wireName: scheme.wireName, kind: .token(scheme.prefix),
                documentation: scheme.documentation)
        }
    }
}
