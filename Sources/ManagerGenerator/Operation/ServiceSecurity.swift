/// The `security` of a service's operations.
struct ServiceSecurity {
    typealias Alternatives = [[ServiceDescription.Scheme]]

    /// Different alternatives; those of the description itself first, which calls of other operations have.
    private(set) var sets: [Alternatives]
    /// The position of an operation's alternatives, unless they are those of the description.
    private(set) var operations: [(key: String, position: Int)] = []
    /// The credentials besides the session's token that some call sends.
    let keys: [ServiceDescription.Scheme]
    /// Whether a credential depends on whether somebody is logged in.
    let dependsOnSession: Bool

    init(_ service: ServiceDescription, _ operations: [Operation]) {
        sets = [service.security]
        var positions = [Self.names(service.security): 0]
        for operation in operations.sorted(by: { $0.securityKey < $1.securityKey }) {
            let names = Self.names(operation.security)
            let position = positions[names] ?? sets.count
            if position == sets.count {
                positions[names] = position
                sets.append(operation.security)
            }
            if position > 0, operation.securityKey != self.operations.last?.key {
                self.operations.append((operation.securityKey, position))
            }
        }
        let used = Set(sets.joined().joined().map(\.wireName))
        keys = service.schemes.filter { $0.kind != .session && used.contains($0.wireName) }
        dependsOnSession = sets.contains { SessionUse($0) == .service }
    }

    private static func names(_ alternatives: Alternatives) -> [[String]] {
        alternatives.map { $0.map(\.wireName) }
    }
}

extension Operation {
    /// What the service knows it by.
    var securityKey: String { "\(method) \(methodName)" }

    var sessionUse: SessionUse { SessionUse(security) }
}
