import DiscreteNetworkingJSON

extension ModelEmitter {
    /// Known values as constants; a new one of the backend is a value like the others.
    func emit(_ open: OpenEnum, _ model: Model, to source: inout Source) {
        let raw = open.isString ? "String" : "Int"
        let conformances = ["RawRepresentable", "Hashable", "Sendable", "Decodable", "ParamValueConvertible"]
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
        let conformances = ["Decodable", "Sendable"] + (model.isSent ? ["ParamValueConvertible"] : [])
        let word = indirect.contains(index) ? "indirect enum" : "enum"
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
        }
        source.space()
        source.block("public init(from decoder: any Decoder) throws") { source in
            source.add("let container = try decoder.container(keyedBy: CodingKeys.self)")
            source.add("switch try container.decodeIfPresent(String.self, forKey: .tag) {")
            for one in union.cases {
                let tags = one.tags.map(Literal.string).joined(separator: ", ")
                source.add(
                    "case \(tags): self = .\(SwiftName.escaped(one.name))(try \(names.name(one.type))(from: decoder))"
                )
            }
            source.add("default: self = .other(try JSONValue(from: decoder))")
            source.add("}")
        }
    }

    private func emitTrying(_ union: Union, to source: inout Source) {
        source.block("public init(from decoder: any Decoder) throws") { source in
            source.add("let container = try decoder.singleValueContainer()")
            for (position, one) in union.cases.enumerated() {
                let word = position == 0 ? "if" : "} else if"
                source.add("\(word) let value = try? container.decode(\(names.name(one.type)).self) {")
                source.add("    self = .\(SwiftName.escaped(one.name))(value)")
            }
            if union.cases.isEmpty {
                return source.add("self = .other(try container.decode(JSONValue.self))")
            }
            source.add("} else {")
            source.add("    self = .other(try container.decode(JSONValue.self))")
            source.add("}")
        }
    }
}
