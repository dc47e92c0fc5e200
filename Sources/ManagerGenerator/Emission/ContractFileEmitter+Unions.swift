/// What contracts say about the inside of unions.
extension ContractFileEmitter {
    /// The type of an alternative that is not `null`.
    func alternative(_ one: Union.Case) -> SwiftType { names.resolved(names.resolved(one.type).wrapped) }

    /// The fields of all alternatives. One that an object of some alternative does not have is optional; the discriminator has
    /// the values of all.
    func parts(of union: Union, in field: Field) -> [Field] {
        let alternatives = union.cases.map(alternative)
        let fields = alternatives.map { parts(of: $0, in: field) }
        let objects = zip(alternatives, fields).filter { isObject($0.0) }.map(\.1)
        var counts: [String: Int] = [:]
        for path in objects.flatMap({ Set($0.map(\.path)) }) { counts[path, default: 0] += 1 }
        let tag = self.tag(of: union, in: field)
        var all = tag.map { [$0] } ?? []
        for one in fields.joined() where one.path != tag?.path {
            var one = one
            let isElement = one.path == field.path + "[]"
            one.isOptional = !isElement && (one.isOptional || counts[one.path] != objects.count)
            all.append(one)
        }
        return all
    }

    private func isObject(_ type: SwiftType) -> Bool {
        switch type {
        case .dictionary, .json: return true
        case .model(let index):
            if case .openEnum = names.models[index].kind { return false }
            return true
        default: return false
        }
    }

    /// The discriminator, if each object has one of its texts.
    private func tag(of union: Union, in field: Field) -> Field? {
        guard let name = union.discriminator else { return nil }
        let tagged = union.cases.filter { isObject(alternative($0)) }
        let values = tagged.flatMap(\.tags).compactMap(\.string)
        guard !values.isEmpty, tagged.allSatisfy({ !$0.tags.isEmpty }) else { return nil }
        var tag = member(name, of: field, .string, isOptional: !tagged.allSatisfy(\.isTagRequired))
        tag.values = Array(Set(values))
        return tag
    }
}
