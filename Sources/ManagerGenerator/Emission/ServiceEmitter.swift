import DiscreteNetworkingJSON
import Foundation

/// Writes the service: each time the protocol from the description, and once the class that completes it.
struct ServiceEmitter {
    let service: ServiceDescription
    let security: ServiceSecurity

    /// - Parameter operations: Those of all services.
    init(_ service: ServiceDescription, _ operations: [Operation]) {
        self.service = service
        let own = operations.filter { $0.service.prefix == service.prefix }
        security = ServiceSecurity(service, own)
    }

    var className: String { service.prefix + "Service" }
    var protocolName: String { service.prefix + "ServiceDescription" }
    private var credentials: String { service.prefix + "Credentials" }

    /// Schemes that are no session.
    private var keys: [ServiceDescription.Scheme] { service.schemes.filter { $0.kind != .session } }
    /// Whether the description asks whether somebody is logged in.
    private var needsSession: Bool { service.hasSession && security.dependsOnSession }

    func emitDescription(to source: inout Source) {
        source.add("import DiscreteNetworking")
        source.add("import Foundation")
        source.space()
        source.block("nonisolated extension ServiceIdentifier") {
            let title = [service.title, service.version].filter { !$0.isEmpty }.joined(separator: " ")
            let part = service.mainPrefix == nil ? "" : ", for operations with servers of their own"
            $0.documentation(title + part + ".")
            $0.add(
                "public static let \(SwiftName.escaped(service.identifier)): Self = \(Literal.string(service.identifier))"
            )
        }
        source.space()
        source.documentation(
            "The servers and the security of the backend, from the description. `\(className)` completes it."
        )
        let head = "public nonisolated protocol \(protocolName): EnvironmentService"
        let clause = "where Environment == ServiceEnvironment"
        let isOneLine = source.fits("\(head) \(clause) {")
        if !isOneLine { source.add(head) }
        source.block(isOneLine ? "\(head) \(clause)" : clause) { source in
            source.documentation(
                "A server that replaces all servers of the description, such as http://localhost:8080/v3. Set a server with plain HTTP on another machine before the service is used."
            )
            source.add("var server: Locked<URL?> { get }")
            if !keys.isEmpty {
                source.documentation("The credentials of the calls.")
                source.add("var credentials: Locked<\(credentials)> { get }")
            }
            if needsSession {
                source.documentation("Who is logged in.")
                source.add("var session: TokenSession { get }")
            }
        }
        if !keys.isEmpty { emitCredentials(to: &source) }
        source.space()
        source.block("nonisolated extension \(protocolName)") { source in
            emitServers(to: &source)
            source.space()
            source.documentation("Arrays in the query as `a=1&a=2`; a manager says what goes elsewhere.")
            source.add("public func encoding(for call: APICall) -> any ParamEncoding { .placed([:]) }")
            emitSecurity(to: &source)
        }
        emitOperations(to: &source)
    }

    private func emitCredentials(to source: inout Source) {
        source.space()
        source.documentation(
            "The credentials of the calls. A call sends the first alternative of its `security` that has all its credentials."
        )
        source.block("public nonisolated struct \(credentials): Sendable") { source in
            for scheme in keys {
                source.documentation(scheme.documentation ?? "`\(scheme.wireName)`")
                if !security.keys.contains(where: { $0.wireName == scheme.wireName }) {
                    source.documentation("No call sends it: no `security` names it.")
                }
                let type = scheme.kind == .basic || scheme.kind == .digest ? "HTTPCredential" : "String"
                source.add("public var \(SwiftName.escaped(scheme.name)): \(type)?")
            }
            source.space()
            source.add("public init() {}")
        }
    }

    private func emitServers(to source: inout Source) {
        source.documentation("All servers of the description.")
        let urls = service.servers.map { "URL(string: \(Literal.string($0.url)))!" }
        source.block("public static var servers: [URL]") { $0.list("[", urls, "]") }
        source.space()
        source.block("public func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint") {
            source in
            source.add("if let server = server.current { return ServiceEndpoint(baseURL: server) }")
            let named = service.servers.enumerated().filter { $0.element.environment != nil }
            guard named.count > 1 else {
                return source.add(
                    "return ServiceEndpoint(baseURL: Self.servers[\(named.first?.offset ?? 0)])")
            }
            source.add("switch environment {")
            for (index, server) in named.sorted(by: { $0.element.environment! < $1.element.environment! })
            where server.environment != "release" {
                if let text = server.documentation { source.comment(text) }
                source.add(
                    "case .\(server.environment!): return ServiceEndpoint(baseURL: Self.servers[\(index)])")
            }
            let release = named.first { $0.element.environment == "release" }?.offset ?? 0
            source.add("default: return ServiceEndpoint(baseURL: Self.servers[\(release)])")
            source.add("}")
        }
        let plain = service.servers.compactMap { URL(string: $0.url) }.filter { $0.scheme == "http" }
            .compactMap(\.host)
        source.space()
        source.documentation(
            "The configuration of the description: plain HTTP to its `http` servers and to ``server``.")
        source.block("public var describedConfiguration: ServiceConfiguration") { source in
            let hosts = Array(Set(plain)).sorted().map(Literal.string)
            source.list("let hosts = [", hosts + ["server.current?.host"], "]")
            source.add("return ServiceConfiguration(plainHTTPHosts: Set(hosts.compactMap(\\.self)))")
        }
        source.space()
        source.documentation(
            "Read once, when the service is created. A class with more in it begins with ``describedConfiguration``."
        )
        source.add("public var configuration: ServiceConfiguration { describedConfiguration }")
    }

    // MARK: Written once

    func emitClass(to source: inout Source) {
        source.add("import DiscreteNetworking")
        source.add("import Foundation")
        source.space()
        source.documentation(
            "\(service.title). This file is yours: it was written once, and is never overwritten.")
        if let main = service.mainPrefix {
            let shared =
                service.hasSession
                ? " Give both the same `session` if their servers accept the same tokens." : ""
            source.add("///")
            source.documentation(
                "Sends to other servers than `\(main)Service`, without the tokens and credentials of `\(main)Service`.\(shared)"
            )
        }
        source.block("public final class \(className): \(protocolName)") { source in
            source.add("public let environment = EnvironmentSwitch(ServiceEnvironment.release)")
            source.add("public let server = Locked<URL?>(nil)")
            if !keys.isEmpty { source.add("public let credentials = Locked(\(credentials)())") }
            if service.hasSession {
                let schemes = service.schemes.filter { $0.kind == .session }.map { "`\($0.wireName)`" }
                source.documentation(
                    "Who is logged in, by \(schemes.joined(separator: " or ")). Give it a refresh where the backend has one."
                )
                emitTokens("public ", to: &source)
            }
            source.space()
            source.add("public init() {}")
            source.space()
            source.documentation(
                "Uses a server that replaces all servers of the description, also over plain HTTP.")
            source.block("public convenience init(server: URL)") { source in
                source.add("self.init()")
                source.add("self.server.current = server")
            }
            if service.hasSession { emitSession("public ", to: &source) }
        }
    }

    /// The session, with what is before its token in `Authorization`: a key need not be a bearer token.
    private func emitTokens(_ access: String, to source: inout Source) {
        let prefix = service.schemes.first { $0.kind == .session }?.prefix ?? "Bearer "
        guard prefix != "Bearer " else { return source.add("\(access)let session = TokenSession()") }
        source.add("\(access)let session = TokenSession(apply: { tokens, request in")
        source.indented {
            let value = prefix.isEmpty ? "" : Literal.string(prefix) + " + "
            $0.add("request.headers[\"Authorization\"] = \(value)tokens.accessToken")
        }
        source.add("})")
    }

    private func emitSession(_ access: String, to source: inout Source) {
        source.space()
        source.block("\(access)var configuration: ServiceConfiguration") { source in
            source.add("var configuration = describedConfiguration")
            source.add("configuration.session = session")
            source.add("return configuration")
        }
    }

    /// A service for tests: nothing in it but what the description says.
    func emitStub(to source: inout Source) {
        source.documentation(
            "The service from the description, without your additions, on a server that does not exist.")
        source.block("final class \(service.prefix)StubService: \(protocolName)") { source in
            source.add("let environment = EnvironmentSwitch(ServiceEnvironment.release)")
            source.add("let server = Locked(URL(string: \"https://api.test\"))")
            if !keys.isEmpty { source.add("let credentials = Locked(\(credentials)())") }
            guard needsSession else { return }
            emitTokens("", to: &source)
            emitSession("", to: &source)
        }
    }
}
