/// What a service declares, checked when it is created.
///
/// A stored property that has the name of a member and another type is no member: `let session = TokenSession()` compiles,
/// and would not be used. Computed properties and methods with another type cannot be seen at run time.
struct ServiceDeclaration {
    /// The configuration that is in force.
    private(set) var configuration: ServiceConfiguration
    /// What is declared and would not be in force, each with the line to write.
    private(set) var problems: [String] = []
    /// The stored properties that probably have a misspelled name of a member.
    private(set) var nearMisses: [String] = []

    /// Reads the configuration and the moved members, once, in the current environment.
    init(of service: any Service) {
        let declared = ServiceConfiguration.$checked.withValue(Box(ServiceConfiguration())) {
            service.configuration
        }
        configuration = declared
        let members = ConfigurationMember.all
        ServiceConfiguration.$checked.withValue(Box(declared)) {
            for member in members where !member.take(service, &configuration) {
                problems.append(
                    "`\(member.movedName)` has one value in the service and another one in its configuration; delete `\(member.movedName)`, and write: let configuration = ServiceConfiguration(\(member.name): …)"
                )
            }
        }
        if let service = service as? any EnvironmentService, configuration.failover == nil {
            configuration.failover = service.endpoint.failover
        }
        configuration.readStrategies()
        if let cookie = configuration.csrf?.cookie, configuration.cookies == nil {
            problems.append(
                "`csrf` reads its token from the cookie \(cookie.debugDescription), but cookies are off; write: ServiceConfiguration(cookies: CookieJar(), csrf: …)"
            )
        }
        for (name, value) in Self.storedProperties(of: service) {
            if let member = members.first(where: { $0.name == name || $0.movedName == name }) {
                guard !member.isInForce(value, configuration) else { continue }
                problems.append(
                    "`\(name)` is of the type \(type(of: value)) and not in force; write: let configuration = ServiceConfiguration(\(member.name): …), which takes \(member.type)"
                )
            } else if name == "apiVersion", value as? String? != service.apiVersion {
                problems.append(
                    "`apiVersion` is of the type \(type(of: value)) and not in force; write: let apiVersion: String? = …"
                )
            } else if name == "configuration", type(of: value) != ServiceConfiguration.self {
                problems.append(
                    "`configuration` is of the type \(type(of: value)) and not in force; write: let configuration = ServiceConfiguration(…)"
                )
            } else if let meant = Self.nearName(to: name, in: members) {
                nearMisses.append("`\(name)` is no member of Service; `\(meant)` is.")
            }
        }
    }

    /// Why the service cannot be used; `nil` if it can.
    func problem(of service: any Service) -> String? {
        guard !problems.isEmpty else { return nil }
        return "\(type(of: service)) declares what would not be in force. "
            + problems.map { $0 + "." }.joined(separator: " ")
    }

    private static func storedProperties(of service: any Service) -> [(name: String, value: Any)] {
        Mirror(reflecting: service).children.compactMap { child in
            guard var name = child.label else { return nil }
            for prefix in ["$__lazy_storage_$_", "_"] where name.hasPrefix(prefix) {
                name = String(name.dropFirst(prefix.count))
            }
            return (name, child.value)
        }
    }

    // MARK: Near misses

    private static func nearName(to name: String, in members: [ConfigurationMember]) -> String? {
        let names =
            members.flatMap { [$0.name, $0.movedName] } + ["baseURL", "apiVersion", "configuration"]
        guard !names.contains(name) else { return nil }
        let typed = Array(name.lowercased().utf8)
        return names.first { known in
            // Short names are near to many others.
            distance(typed, Array(known.lowercased().utf8)) <= (known.count < 8 ? 1 : 2)
        }
    }

    /// The Levenshtein distance.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(
                    diagonal + (byte == other ? 0 : 1), min(above, row[column]) + 1)
                diagonal = above
            }
        }
        return row[right.count]
    }
}
