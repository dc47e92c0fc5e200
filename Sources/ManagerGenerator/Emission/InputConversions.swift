/// Writes the initializers that make what is sent of what was received, so that an object is read, changed and sent again.
struct InputConversions {
    /// What is sent of each model that is sent otherwise than it is received.
    private let inputs: [Int: Int]
    /// The models with something inside that is sent and not received, such as a password: nothing can be made of them.
    private let incomplete: Set<Int>

    init(_ models: [Model]) {
        inputs = Dictionary(
            models.enumerated().compactMap { index, model in model.received.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        let seeds = inputs.keys.filter { index in
            guard case .structure(let structure) = models[index].kind else { return false }
            return structure.properties.contains(where: \.isGiven)
        }
        incomplete = seeds.isEmpty ? [] : ModelGraph(models).containing(seeds)
    }

    /// - Parameter names: How types are written in the model.
    func emit(to index: Int, _ names: TypeNames, _ source: inout Source) {
        guard let received = names.models[index].received, !incomplete.contains(received) else { return }
        let label = label(index, SwiftName.member(names.models[received].name), names)
        let parameter = "_ \(label): \(names.name(.model(received)))"
        source.space()
        switch (names.models[index].kind, names.models[received].kind) {
        case (.structure(let sent), .structure(let whole)):
            emit(sent, whole, names, parameter, label, to: &source)
        case (.union(let sent), .union(let whole)):
            source.block("public init(\(parameter))") { source in
                source.add("switch \(label) {")
                for (one, other) in zip(sent.cases, whole.cases) {
                    let name = SwiftName.escaped(one.name)
                    let value = converted("value", other.type, names)
                    source.add("case .\(name)(let value): self = .\(name)(\(value))")
                }
                source.add("case .other(let value): self = .other(value)")
                source.add("}")
            }
        default: break
        }
    }

    /// The name of what was received, which no other parameter has.
    private func label(_ index: Int, _ name: String, _ names: TypeNames) -> String {
        guard case .structure(let sent) = names.models[index].kind,
            sent.properties.contains(where: { $0.isGiven && $0.name == name })
        else { return SwiftName.escaped(name) }
        return "received" + SwiftName.type(name)
    }

    /// What is sent and not received is a parameter of its own.
    private func emit(
        _ sent: Structure, _ whole: Structure, _ names: TypeNames, _ parameter: String, _ label: String,
        to source: inout Source
    ) {
        let given = sent.properties.filter(\.isGiven)
        let items = given.map { "\(SwiftName.escaped($0.name)): \(names.name($0.type))" }
        let types = Dictionary(
            whole.properties.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        var arguments = sent.properties.map { property in
            let (name, word) = (SwiftName.escaped(property.name), SwiftName.label(property.name))
            guard !property.isGiven, let type = types[property.name] else { return "\(word): \(name)" }
            let value = "\(label).\(name)"
            guard property.type.isClearable else {
                return "\(word): \(converted(value, property.isRequired ? type : type.orOmitted, names))"
            }
            // What was not received, or is null, is left out.
            return "\(word): \(value).map { .value(\(converted("$0", names.resolved(type).wrapped, names))) }"
        }
        if let additional = whole.additional {
            let value = converted("\(label).additionalProperties", .dictionary(additional), names)
            arguments.append("additionalProperties: \(value)")
        }
        source.block("public init(", [parameter] + items, ")") { source in
            source.list("self.init(", arguments, ")")
        }
    }

    /// An expression for what is sent of a value.
    /// - Parameter type: The type of what was received.
    private func converted(_ value: String, _ type: SwiftType, _ names: TypeNames) -> String {
        guard isConverted(type, names) else { return value }
        switch names.resolved(type) {
        case .optional(let wrapped):
            return "\(value).map { \(converted("$0", names.resolved(wrapped).wrapped, names)) }"
        case .array(let element): return "\(value).map { \(converted("$0", element, names)) }"
        case .dictionary(let element): return "\(value).mapValues { \(converted("$0", element, names)) }"
        case .model(let index): return inputs[index].map { "\(names.name(.model($0)))(\(value))" } ?? value
        default: return value
        }
    }

    private func isConverted(_ type: SwiftType, _ names: TypeNames) -> Bool {
        switch names.resolved(type) {
        case .model(let index): inputs[index] != nil
        case .optional(let inner), .array(let inner), .dictionary(let inner): isConverted(inner, names)
        default: false
        }
    }
}

extension Structure.Property {
    /// Whether it is always sent, and never received.
    fileprivate var isGiven: Bool { isRequired && isWriteOnly }
}
