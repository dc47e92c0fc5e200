/// What a service declares, checked when it is created.
///
/// A stored property that has the name of a member and another type is no member: `let session = TokenSession()` compiles,
/// and would not be used. Computed properties and methods with another type cannot be seen at run time.
final class ServiceDeclaration {
    /// The configuration that is in force.
    private(set) var configuration: ServiceConfiguration
    /// The properties that have no effect, each with the line to write.
    private(set) var problems: [String] = []
    /// The stored properties that probably have a misspelled name of a member.
    private(set) var nearMisses: [String] = []

    /// Reads the configuration, once, in the current environment.
    init(of service: any Service) {
        configuration = service.configuration
        let members = ConfigurationMember.all
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
            if let member = members.first(where: { $0.name == name }) {
                guard !member.isInForce(value, configuration) else { continue }
                problems.append(
                    "`\(name)` has type \(type(of: value)), so it is ignored. Declare: let configuration = ServiceConfiguration(\(member.name): …), which takes \(member.type)"
                )
            } else if name == "apiVersion", value as? String? != service.apiVersion {
                problems.append(
                    "`apiVersion` has type \(type(of: value)), so it is ignored. Declare: let apiVersion: String? = …"
                )
            } else if name == "configuration", type(of: value) != ServiceConfiguration.self {
                problems.append(
                    "`configuration` has type \(type(of: value)), so it is ignored. Declare: let configuration = ServiceConfiguration(…)"
                )
            } else if let meant = Self.nearName(to: name) {
                nearMisses.append("`\(name)` is no member of Service; `\(meant)` is.")
            }
        }
    }

    /// Why the service cannot be used; `nil` if it can.
    func problem(of service: any Service) -> String? {
        guard !problems.isEmpty else { return nil }
        return "\(type(of: service)) declares properties that have no effect. "
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

    /// The names of all members, and their lowercase letters.
    private static let knownNames: [(name: String, letters: [UInt8])] = {
        let names = ConfigurationMember.all.map(\.name) + ["baseURL", "apiVersion", "configuration"]
        return names.map { ($0, letters(of: $0)) }
    }()

    private static func letters(of name: String) -> [UInt8] { Array(name.lowercased().utf8) }

    private static func nearName(to name: String) -> String? {
        guard !knownNames.contains(where: { $0.name == name }) else { return nil }
        let typed = letters(of: name)
        return knownNames.first { known in
            // Short names are near to many others.
            isNear(typed, known.letters, within: known.letters.count < 8 ? 1 : 2)
        }?.name
    }

    /// Whether the Levenshtein distance of what follows two places is at most a limit.
    ///
    /// The stored properties of each service are compared with all names when it is created. If the lengths differ by more
    /// than the limit, no letter is compared.
    private static func isNear(
        _ left: [UInt8], _ right: [UInt8], from start: Int = 0, _ otherStart: Int = 0, within limit: Int
    ) -> Bool {
        var (index, other) = (start, otherStart)
        guard abs((left.count - index) - (right.count - other)) <= limit else { return false }
        while index < left.count, other < right.count, left[index] == right[other] {
            index += 1
            other += 1
        }
        // What is left over of one name is within the limit, as the lengths are.
        if index == left.count || other == right.count { return true }
        guard limit > 0 else { return false }
        return isNear(left, right, from: index + 1, other + 1, within: limit - 1)
            || isNear(left, right, from: index + 1, other, within: limit - 1)
            || isNear(left, right, from: index, other + 1, within: limit - 1)
    }
}
