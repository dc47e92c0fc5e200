import DiscreteNetworkingJSON

extension ModelEmitter {
    /// Known values as constants; a new one of the backend is a value like the others.
    func emit(_ open: OpenEnum, _ model: Model, to source: inout Source) {
        let raw = open.isString ? "String" : "Int"
        let conformances = ["RawRepresentable", "Codable", "Hashable", "Sendable", "ParamValueConvertible"]
        source.type("public nonisolated struct \(model.name)", conformances) { source in
            for (name, value) in open.cases {
                let literal = value.string.map(Literal.string) ?? value.canonicalText
                source.list(
                    "public static let \(SwiftName.escaped(name)) = Self(", ["rawValue: \(literal)"], ")")
            }
            source.space()
            source.add("public let rawValue: \(raw)")
            source.space()
            source.add("public init(rawValue: \(raw)) { self.rawValue = rawValue }")
        }
    }

    /// A case for each type, and one for what a later version of the backend may send.
    func emit(_ union: Union, _ model: Model, _ index: Int, to source: inout Source) {
        let conformances =
            ["Codable", equality(index), "Sendable"] + (model.isSent ? ["ParamValueConvertible"] : [])
        let word = storage.indirect.contains(index) ? "indirect enum" : "enum"
        source.type("public nonisolated \(word) \(model.name)", conformances) { source in
            for one in union.cases {
                source.add("case \(SwiftName.escaped(one.name))(\(names.name(one.type)))")
            }
            source.documentation("Something else, of a later version of the backend.")
            source.add("case other(JSONValue)")
            source.space()
            if let discriminator = union.discriminator {
                emitTagged(union, discriminator, to: &source)
            } else {
                emitTrying(union, to: &source)
            }
            conversions.emit(to: index, names, &source)
            source.space()
            source.block("public func encode(to encoder: any Encoder) throws") { source in
                source.add("switch self {")
                for one in union.cases {
                    source.add(
                        "case .\(SwiftName.escaped(one.name))(let value): try value.encode(to: encoder)")
                }
                source.add("case .other(let value): try value.encode(to: encoder)")
                source.add("}")
            }
            if model.isSent {
                source.space()
                source.block("public var jsonValue: JSONValue") { source in
                    source.add("switch self {")
                    for one in union.cases {
                        source.add("case .\(SwiftName.escaped(one.name))(let value): value.jsonValue")
                    }
                    source.add("case .other(let value): value")
                    source.add("}")
                }
            }
            emitNested(in: model.path, to: &source)
        }
    }

    private func emitTagged(_ union: Union, _ discriminator: String, to source: inout Source) {
        source.block("private enum CodingKeys: String, CodingKey") {
            let name = SwiftName.member(discriminator)
            $0.add(
                "case tag"
                    + (name == "tag" && discriminator == "tag" ? "" : " = \(Literal.string(discriminator))"))
            if let second = union.second { $0.add("case second = \(Literal.string(second))") }
        }
        source.space()
        let groups = union.groups
        let (untagged, withoutTag) = (union.untagged, union.withoutTag)
        let tag = groups.first?.tags.first
        let isBool = tag?.bool != nil
        let type = isBool ? "Bool" : tag?.int != nil ? "Int" : "String"
        // A switch over all Booleans would need no default.
        let text = isBool ? "?.description" : ""
        source.block("public init(from decoder: any Decoder) throws") { source in
            source.add("let object = try? decoder.container(keyedBy: CodingKeys.self)")
            source.add("switch try? object?.decodeIfPresent(\(type).self, forKey: .tag)\(text) {")
            for group in groups {
                let isString = isBool || tag?.string != nil
                source.cases(
                    group.tags.map { tag in
                        isString ? Literal.string(tag.string ?? tag.canonicalText) : tag.canonicalText
                    })
                source.indented { emitChoice(group.cases, to: &$0) }
            }
            // A value without the discriminator may be any alternative that does not require it.
            if withoutTag.count > untagged.count {
                source.add("case nil:")
                source.indented { emitChoice(withoutTag, isSure: false, to: &$0) }
            }
            source.add("default:")
            source.indented { emitChoice(untagged, isSure: false, to: &$0) }
            source.add("}")
        }
    }

    private func emitTrying(_ union: Union, to source: inout Source) {
        source.block("public init(from decoder: any Decoder) throws") {
            emitChoice(union.cases, isSure: false, to: &$0)
        }
    }

    /// - Parameter isSure: Whether a single case is the right one, so that its error is that of the union.
    private func emitChoice(_ cases: [Union.Case], isSure: Bool = true, to source: inout Source) {
        if isSure, cases.count == 1 {
            let name = SwiftName.escaped(cases[0].name)
            return source.add("self = .\(name)(try \(names.name(cases[0].type))(from: decoder))")
        }
        guard !cases.isEmpty else { return source.add("self = .other(try decoder.otherAlternative())") }
        if let tag = cases.lazy.flatMap(\.secondTags).first {
            let type = tag.bool != nil ? "Bool" : tag.int != nil ? "Int" : "String"
            source.add("let object = try? decoder.container(keyedBy: CodingKeys.self)")
            source.add("let second = try? object?.decodeIfPresent(\(type).self, forKey: .second)")
        }
        source.add("var alternatives = try Alternatives<Self>(of: decoder)")
        for one in cases {
            let tags = one.secondTags.map { $0.string.map(Literal.string) ?? $0.canonicalText }
            let call = "alternatives.add(Self.\(SwiftName.escaped(one.name)))"
            switch tags.count {
            case 0: source.add(call)
            case 1: source.block("if second == \(tags[0])") { $0.add(call) }
            default: source.block("if [\(tags.joined(separator: ", "))].contains(second)") { $0.add(call) }
            }
        }
        source.add("self = try alternatives.chosen(or: Self.other)")
    }
}
