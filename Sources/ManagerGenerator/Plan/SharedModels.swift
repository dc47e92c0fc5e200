/// Inline schemas that are the same become one model.
///
/// The same are those with the same properties, cases or values, comments of them included, in the same context, such as
/// `address` in two objects, or the response of two operations. Schemas with a name of their own stay as they are. One of the
/// models is generated, and the names of the others are type aliases of it, so that no name depends on what else is described.
struct SharedModels {
    /// By model, the one that it is the same as.
    private(set) var same: [Int: Int] = [:]
    private let models: [Model]
    private let inUnions: Set<Int>
    private let names: TypeNames
    /// For each model, the number of those that are the same as far as known.
    private var classes: [Int]

    /// - Parameter managers: Those with modules of their own, whose arguments have no model that others can use.
    init(_ models: [Model], used: Set<Int>, besides managers: [String]) {
        self.models = models
        inUnions = ModelGraph(models).inUnions(used)
        names = TypeNames(models: models)
        classes = Array(models.indices)
        let managers = Set(managers)
        let sent = Set(models.compactMap(\.received))
        let candidates = used.sorted().filter { index in
            let model = models[index]
            if case .alias = model.kind { return false }
            return model.context != nil && model.received == nil && !sent.contains(index)
                && !managers.contains(model.scope.first ?? "")
        }
        refine(candidates)
        for group in Dictionary(grouping: candidates, by: { classes[$0] }).values where group.count > 1 {
            let sorted = group.sorted { Self.isBefore(models[$0].path, models[$1].path) }
            for other in sorted.dropFirst() { same[other] = sorted[0] }
        }
    }

    /// Models with short paths first: what is inside of a model that is not generated has an equal before it.
    private static func isBefore(_ left: [String], _ right: [String]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// Makes the models aliases, and gives what they are used for to the one that is left.
    func share(in schemas: Schemas) {
        for (index, first) in same {
            schemas.models[first].isSent = schemas.models[first].isSent || models[index].isSent
            schemas.models[first].isReceived = schemas.models[first].isReceived || models[index].isReceived
            schemas.models[index].ownKind = schemas.models[index].kind
            schemas.models[index].kind = .alias(.model(first))
        }
    }

    // MARK: Comparing

    /// Divides the models by their shapes, and by the classes of what is in them, until nothing changes.
    private mutating func refine(_ candidates: [Int]) {
        for index in candidates { classes[index] = -1 }
        var count = 0
        while true {
            var numbers: [String: Int] = [:]
            var next = classes
            for index in candidates {
                let shape = "\(classes[index]) \(shape(index))"
                if numbers[shape] == nil { numbers[shape] = -2 - numbers.count }
                next[index] = numbers[shape] ?? 0
            }
            classes = next
            guard numbers.count > count else { return }
            count = numbers.count
        }
    }

    /// What distinguishes a model from others, as a text.
    private func shape(_ index: Int) -> String {
        let model = models[index]
        let context = (model.context ?? []).joined(separator: " ")
        switch model.kind {
        case .structure(let structure):
            let properties = structure.properties.map { shape($0, index) }
            // A property that only one side has is optional where both use the model.
            let hasSides = structure.properties.contains { $0.isReadOnly || $0.isWriteOnly }
            let hasNull = structure.properties.contains { $0.isRequired && $0.type.isOptional }
            let parts = [
                "struct", context, structure.additional.map { type($0, index) } ?? "",
                hasSides ? "\(model.isSent) \(model.isReceived)" : "",
                hasNull ? "\(inUnions.contains(index))" : "",
            ]
            return "\(parts + properties)"
        case .union(let union):
            let cases = union.cases.map { one in
                "\([one.name, type(one.type, index)]) \(one.tags) \(one.secondTags) \(one.isTagRequired) \(one.rank)"
            }
            return "\(["union", context, union.discriminator ?? "", union.second ?? ""] + cases)"
        case .openEnum(let open):
            return "\(["enum", context, "\(open.isString)"] + open.cases.map { "\($0.name) \($0.value)" })"
        case .alias, .pending: return "\(index)"
        }
    }

    private func shape(_ property: Structure.Property, _ index: Int) -> String {
        "\([property.wireName, property.name, type(property.type, index), property.documentation ?? ""]) "
            + "\(property.isRequired) \(property.isReadOnly) \(property.isWriteOnly)"
    }

    /// A type in a model, with the name of a model inside of it.
    private func type(_ type: SwiftType, _ index: Int) -> String {
        switch names.resolved(type) {
        case .array(let element): return "[\(self.type(element, index))]"
        case .dictionary(let value): return "[:\(self.type(value, index))]"
        case .optional(let wrapped): return "\(self.type(wrapped, index))?"
        case .nullable(let wrapped): return "\(self.type(wrapped, index))??"
        case .model(let other):
            let (path, outer) = (models[other].path, models[index].path)
            let inner = path.starts(with: outer) ? path.dropFirst(outer.count).joined(separator: ".") : ""
            return "#\(classes[other]) \(inner)"
        case let plain: return "\(plain)"
        }
    }
}
