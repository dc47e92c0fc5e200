/// Which credentials a call sends.
extension ServiceEmitter {
    private var table: String { service.prefix + "Security" }
    private var credentials: String { service.prefix + "Credentials" }
    private var key: String { #""\(call.requestType.rawValue) \(call.methodName)""# }

    func emitSecurity(to source: inout Source) {
        guard !security.keys.isEmpty else { return }
        emitHeaders(to: &source)
        let queries = security.keys.compactMap { scheme -> String? in
            guard case .query(let name) = scheme.kind else { return nil }
            return "\(Literal.string(name)): credentials.\(SwiftName.escaped(scheme.name))"
        }
        if !queries.isEmpty {
            source.space()
            source.block("public func extraParams(for call: APICall) -> Params") {
                $0.add("let credentials = choice(\(key)).sent")
                $0.list("return [", queries, "]")
            }
        }
        let credentials = security.keys.filter { $0.kind == .basic || $0.kind == .digest }
        if !credentials.isEmpty {
            source.space()
            source.block("public func credential(for call: APICall) -> HTTPCredential?") { source in
                source.add("let credentials = choice(\(key)).sent")
                let all = credentials.map { "credentials.\(SwiftName.escaped($0.name))" }
                source.add("return \(all.joined(separator: " ?? "))")
            }
        }
        emitChoice(to: &source)
    }

    private func emitHeaders(to source: inout Source) {
        var headers: [(name: String, value: String)] = []
        // A request has one header for all cookies.
        var cookies: [String] = []
        for scheme in security.keys {
            let name = "credentials.\(SwiftName.escaped(scheme.name))"
            switch scheme.kind {
            case .header(let header): headers.append((header, name))
            case .token(let prefix):
                let value = prefix.isEmpty ? name : "\(name).map { \(Literal.string(prefix)) + $0 }"
                headers.append(("Authorization", value))
            case .cookie(let cookie):
                cookies.append("\(name).map { \(Literal.string(cookie + "=")) + $0 }")
            default: break
            }
        }
        guard !headers.isEmpty || !cookies.isEmpty else { return }
        source.space()
        source.block("public func extraHeaders(for call: APICall) -> [String: String]") { source in
            source.add("let credentials = choice(\(key)).sent")
            source.add("var headers: [String: String] = [:]")
            for (name, value) in headers {
                let header = "headers[\(Literal.string(name))]"
                // Several schemes may have a token in one header.
                let isFirst = headers.first { $0.name == name }?.value == value
                source.add(isFirst ? "\(header) = \(value)" : "\(header) = \(header) ?? \(value)")
            }
            if cookies.count == 1 {
                source.add("headers[\"Cookie\"] = \(cookies[0])")
            } else if !cookies.isEmpty {
                source.list("let cookies = [", cookies, "].compactMap(\\.self)")
                source.add(
                    "if !cookies.isEmpty { headers[\"Cookie\"] = cookies.joined(separator: \"; \") }")
            }
            source.add("return headers")
        }
    }

    private func emitChoice(to source: inout Source) {
        if service.hasSession, security.dependsOnSession {
            source.space()
            source.documentation(
                "Returns whether calls of an operation, such as `GET pets`, have the token of the session.")
            source.block("public func usesSession(_ operation: String) -> Bool") {
                $0.add("choice(operation).usesSession")
            }
        }
        source.space()
        source.documentation(
            "What the first alternative of an operation's `security` names that has all its credentials.")
        source.block(
            "private func choice(_ operation: String) -> (sent: \(credentials), usesSession: Bool)"
        ) { source in
            let isAnySent = security.sets.joined().joined().contains { $0.kind != .session }
            if isAnySent { source.add("let all = credentials.current") }
            source.add("\(isAnySent ? "var" : "let") sent = \(credentials)()")
            guard !security.operations.isEmpty else { return emit(security.sets[0], to: &source) }
            source.add("switch \(table).operations[operation] {")
            for (position, alternatives) in security.sets.enumerated().dropFirst() {
                source.add("case \(position):")
                source.indented { emit(alternatives, to: &$0) }
            }
            source.add("default:")
            source.indented { emit(security.sets[0], to: &$0) }
            source.add("}")
        }
    }

    private func emit(_ alternatives: ServiceSecurity.Alternatives, to source: inout Source) {
        func name(_ scheme: ServiceDescription.Scheme) -> String { SwiftName.escaped(scheme.name) }
        let use = SessionUse(alternatives)
        // A token that is always sent, if there is one, is no condition.
        var distinct: [(keys: [ServiceDescription.Scheme], hasSession: Bool)] = []
        for alternative in alternatives {
            let keys = alternative.filter { $0.kind != .session }
            let hasSession = use == .always || keys.count < alternative.count
            let isKnown = distinct.contains {
                $0.keys.map(\.wireName) == keys.map(\.wireName) && $0.hasSession == hasSession
            }
            if !isKnown { distinct.append((keys, hasSession)) }
        }
        func emit(_ keys: [ServiceDescription.Scheme], _ hasSession: Bool, to source: inout Source) {
            for key in keys { source.add("sent.\(name(key)) = all.\(name(key))") }
            source.add("return (sent, \(hasSession))")
        }
        for (keys, hasSession) in distinct.count > 1 ? distinct : [] {
            var conditions = keys.map { "all.\(name($0)) != nil" }
            if hasSession, use == .service { conditions.append("session.isLoggedIn") }
            guard !conditions.isEmpty else { return emit([], hasSession, to: &source) }
            source.block("if \(conditions.joined(separator: ", "))") { emit(keys, hasSession, to: &$0) }
        }
        // Nothing has all its credentials: a call may ask for a login, else it sends what there is of the first.
        let first = distinct.first { use != .service || $0.hasSession }
        emit(first?.keys ?? [], first?.hasSession ?? false, to: &source)
    }

    func emitOperations(to source: inout Source) {
        guard !security.keys.isEmpty, !security.operations.isEmpty else { return }
        source.space()
        source.documentation(
            "Which alternatives of credentials an operation has, unless they are the usual ones.")
        source.block("private nonisolated enum \(table)") { source in
            let items = security.operations.map { "\(Literal.string($0.key)): \($0.position)" }
            source.list("static let operations: [String: Int] = [", items, "]")
        }
    }
}
