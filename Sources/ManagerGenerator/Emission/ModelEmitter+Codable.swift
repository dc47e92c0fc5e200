/// How models are decoded and encoded.
///
/// The compiler needs more time for a synthesized conformance: 1.6 s in place of 0.8 s for 24 structs with 12 properties. The
/// overloaded functions of a keyed container are no better.
extension ModelEmitter {
    typealias TypedProperty = (property: Structure.Property, type: SwiftType)

    /// A struct without properties and members beside them has nothing to decode.
    func emitCodable(
        _ properties: [TypedProperty], _ additional: SwiftType?, _ index: Int, to source: inout Source
    ) {
        guard !properties.isEmpty || additional != nil else { return }
        emitDecoding(properties, additional, index, to: &source)
        emitStorage(properties, additional, index, to: &source)
    }

    private func emitDecoding(
        _ properties: [TypedProperty], _ additional: SwiftType?, _ index: Int, to source: inout Source
    ) {
        source.space()
        source.block("public init(from decoder: any Decoder) throws") { source in
            if let additional, properties.isEmpty {
                return source.add(
                    "additionalProperties = try [String: \(names.name(additional))](from: decoder)")
            }
            source.add("let members = try decoder.members()")
            for (property, type) in properties {
                let wrapped = names.resolved(type)
                let call =
                    !wrapped.isOptional
                    ? "decode" : wrapped.isClearable ? "decodeNullable" : "decodeIfPresent"
                let value = "try members.\(call)(\(Literal.string(property.wireName)))"
                // A box decodes what is in it. Between `null` and absence it cannot distinguish.
                let isBoxed = isBoxed(property, index)
                source.add(
                    isBoxed && !wrapped.isClearable
                        ? "_\(property.name) = \(value)"
                        : assignment(property.name, value, type, isBoxed: isBoxed))
            }
            guard additional != nil else { return }
            source.list(
                "additionalProperties = try members.decodeAll(except: [",
                properties.map { Literal.string($0.property.wireName) }, "])")
        }
    }

    /// Whether a property is there if it has no value: in a union, its absence would be another alternative.
    private func encodesNull(_ property: Structure.Property, _ index: Int) -> Bool {
        let model = names.models[index]
        return alternatives.contains(index) && property.isRequired && property.type.isOptional
            && type(property, in: model) == property.type && !(property.isReadOnly && model.isSent)
            && !(property.isWriteOnly && model.isReceived)
    }

    /// Encodes for storage; ``emitEncoding`` is what calls send.
    private func emitStorage(
        _ properties: [TypedProperty], _ additional: SwiftType?, _ index: Int, to source: inout Source
    ) {
        source.space()
        source.block("public func encode(to encoder: any Encoder) throws") { source in
            // The declared properties come last, so that they win.
            if additional != nil { source.add("try additionalProperties.encode(to: encoder)") }
            guard !properties.isEmpty else { return }
            source.add("var members = encoder.members()")
            for (property, type) in properties {
                let isOmitted = names.resolved(type).isOptional && !encodesNull(property, index)
                let name = SwiftName.escaped(property.name)
                let value = ["members", "encoder"].contains(name) ? "self.\(name)" : name
                source.list(
                    "try members.\(isOmitted ? "encodeIfPresent" : "encode")(",
                    [value, "as: \(Literal.string(property.wireName))"], ")")
            }
        }
    }
}
