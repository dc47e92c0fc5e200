import DiscreteNetworkingJSON

/// Writes the command that compares what the backend answers with its contracts: a call for each response of JSON.
struct ContractEmitter {
    let names: TypeNames
    let module: String
    let samples: SampleMaker

    /// An endpoint of the command.
    struct Subject {
        let operation: Operation
        let arguments: Arguments
        /// Whether it may change something, so that a person has to allow it.
        let isOptional: Bool
    }

    /// What an endpoint is called with, as far as the description says.
    enum Arguments {
        case params([(name: String, value: JSONValue)])
        case chain(ContractChain, [(name: String, value: JSONValue)])
        /// The required params without a value.
        case needed([String])
    }

    /// The calls that are answered with JSON: those that only read, and searches, which a person has to allow.
    func subjects(_ operations: [Operation]) -> [Subject] {
        let candidates = operations.filter { operation in
            guard !operation.isDeprecated, !operation.isStream, case .model = operation.output.kind else {
                return false
            }
            return operation.method == "GET" || isSearch(operation)
        }
        let chains = ContractChains(candidates, names: names)
        return candidates.map {
            Subject(operation: $0, arguments: arguments($0, chains), isOptional: $0.method != "GET")
        }
    }

    /// Whether a POST looks as if it only read.
    private func isSearch(_ operation: Operation) -> Bool {
        guard operation.method == "POST", operation.body == nil else { return false }
        let last = operation.path.split(separator: "/").last.map(String.init) ?? ""
        let words: Set<String> = [
            "count", "filter", "find", "history", "list", "lookup", "paginate", "query", "search",
        ]
        return !last.contains("{") && Words.split(last).contains { words.contains($0.lowercased()) }
    }

    private func arguments(_ operation: Operation, _ chains: ContractChains) -> Arguments {
        let required = operation.parameters.filter(\.isRequired)
        let chain = chains.chain(to: operation)
        let rest = required.filter { chain?.provides($0.key) != true }
        let missing = rest.filter { !hasExample($0) }
        guard missing.isEmpty else { return .needed(missing.map(\.key)) }
        let params = rest.map { ($0.key, samples.value($0.type, $0.schema, isSent: true)) }
        return chain.map { .chain($0, params) } ?? .params(params)
    }

    private func hasExample(_ parameter: Parameter) -> Bool {
        ["example", "default"].contains { parameter.schema[$0] != nil }
            || names.openEnum(parameter.type) != nil
    }

    // MARK: The command

    func emitMain(_ subjects: [Subject], to source: inout Source) {
        for name in ["DiscreteNetworking", "DiscreteNetworkingContracts", module].sorted() {
            source.add("import \(name)")
        }
        source.space()
        source.documentation(
            """
            Compares the responses of the backend with their contracts: `--base-url https://staging.example.com`, and \
            `--help` for more. The arguments of the endpoints, and a login, are in ContractArguments.swift.
            """)
        source.block("@main struct Contracts") { source in
            source.block("static func main() async") { source in
                var seen: Set<String> = []
                let services = subjects.map(\.operation.service).filter { seen.insert($0.prefix).inserted }
                    .map { ".\(SwiftName.escaped($0.identifier)): \($0.prefix)Service.self" }
                source.add("await ContractCheck(")
                source.add("    services: [\(services.joined(separator: ", "))],")
                source.add("    managers: subjects(),")
                source.add("    arguments: Dictionary(contractArguments, uniquingKeysWith: { $1 }),")
                source.add("    prepare: prepareContracts")
                source.add(").main()")
            }
            source.space()
            source.add("@MainActor")
            source.block("static func subjects() -> [ContractSubject]") { source in
                source.add("var subjects: [ContractSubject] = []")
                source.block(
                    "func add<Output>(_ manager: TypedAPIManager<Output>, _ arguments: ContractArguments = .params())"
                ) {
                    $0.add("subjects.append(ContractSubject(manager, arguments))")
                }
                for subject in subjects {
                    let given = subject.isOptional ? ".optional" : Self.text(subject.arguments)
                    let arguments = given.map { ", \($0)" } ?? ""
                    source.add("add(\(subject.operation.managerName)()\(arguments))")
                }
                source.add("return subjects")
            }
        }
    }

    /// - Returns: `nil` for a call without arguments.
    private static func text(_ arguments: Arguments) -> String? {
        switch arguments {
        case .needed(let names): return ".needed(\(names.map(Literal.string).joined(separator: ", ")))"
        case .params(let params): return params.isEmpty ? nil : ".params(\(dictionary(params)))"
        case .chain(let chain, let params):
            let places = dictionary(chain.places.map { ($0.name, .string($0.path)) })
            let rest = params.isEmpty ? "" : ", \(dictionary(params))"
            return ".first(\(places), of: \(Literal.string(chain.list))\(rest))"
        }
    }

    private static func dictionary(_ params: [(name: String, value: JSONValue)]) -> String {
        let items = params.map { "\(Literal.string($0.name)): \(literal($0.value))" }
        return items.isEmpty ? "[:]" : "[\(items.joined(separator: ", "))]"
    }

    private static func literal(_ value: JSONValue) -> String {
        switch value {
        case .string(let string): Literal.string(string)
        case .array(let elements): "[" + elements.map(literal).joined(separator: ", ") + "] as JSONValue"
        case .object(let members):
            dictionary(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) + " as JSONValue"
        case .null: "JSONValue.null"
        default: value.canonicalText
        }
    }

    // MARK: What the app knows

    /// The file that is written once.
    func emitArguments(_ subjects: [Subject], to source: inout Source) {
        source.add("import DiscreteNetworking")
        source.add("import DiscreteNetworkingContracts")
        source.space()
        source.documentation(
            """
            What the check calls endpoints with, where the description does not say it, or says it wrong. This file is yours: \
            generate-managers writes it once. The report names endpoints that need arguments.
            """)
        let known = subjects.compactMap(suggestion)
        let head = "let contractArguments: [(String, ContractArguments)] = ["
        source.add(known.isEmpty ? head + "]" : head)
        for line in known { source.add("    // " + line) }
        if !known.isEmpty { source.add("]") }
        source.space()
        source.documentation("Runs before the check, for example to log in.")
        source.add("@MainActor")
        source.add("func prepareContracts(_ proxy: ApiProxy) async throws {}")
    }

    /// The line that a person has to complete, or to allow; `nil` if the description knows the arguments.
    private func suggestion(_ subject: Subject) -> String? {
        let name = Literal.string(subject.operation.managerName)
        let remark = subject.isOptional ? "If it only reads: " : ""
        switch subject.arguments {
        case .needed(let names):
            let params = names.map { "\(Literal.string($0)): …" }.joined(separator: ", ")
            return "\(remark)(\(name), .params([\(params)])),"
        case .params, .chain:
            guard subject.isOptional else { return nil }
            return "\(remark)(\(name), \(Self.text(subject.arguments) ?? ".params()")),"
        }
    }
}
