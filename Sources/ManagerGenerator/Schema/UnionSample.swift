import DiscreteNetworkingJSON

/// A value of a case of a union, made from the description.
struct UnionSample {
    let caseName: String
    let value: JSONValue
    /// What is sent of it.
    let sent: JSONValue
}

extension UnionReading {
    /// Samples of each case of the used unions. Reports a value that two cases accept, and that is read as the other one.
    func samples(_ sampler: SchemaSampler, of used: Set<Int>, report: Report) -> [Int: [UnionSample]] {
        var samples: [Int: [UnionSample]] = [:]
        for index in used.sorted() {
            guard case .union(let union) = names.models[index].kind else { continue }
            for one in union.cases {
                // A scalar and an empty value lose nothing.
                if let full = sampler.value(one.schema, in: union.schema, isFull: true),
                    full.object?.isEmpty == false || full.array?.isEmpty == false,
                    let other = chosen(union, full), other.name != one.name,
                    sampler.accepts(full, one.schema), sampler.accepts(full, other.schema)
                {
                    report.add(
                        "reads \(one.name) as \(other.name): both accept \(Self.excerpt(full)).",
                        at: names.models[index].place)
                }
                let values = [false, true].compactMap {
                    sampler.value(one.schema, in: union.schema, isFull: $0)
                }
                guard let value = values.first(where: { chosen(union, $0)?.name == one.name }) else {
                    continue
                }
                guard value.canonicalText.utf8.count < 4_000 else { continue }
                let (sent, lacksTag) = sent(value, one, of: union, sampler)
                if lacksTag, names.models[index].isSent {
                    report.add(
                        "has the discriminator \(union.discriminator ?? ""), which is no property of \(one.name): it is not sent.",
                        at: names.models[index].place)
                }
                samples[index, default: []].append(
                    UnionSample(caseName: one.name, value: value, sent: sent))
            }
        }
        return samples
    }

    private static func excerpt(_ value: JSONValue) -> String {
        let text = value.canonicalText
        return text.count > 200 ? text.prefix(200) + "…" : text
    }

    /// What is sent of a value: what the description has of it, and the client sets.
    /// - Returns: The value, and whether the discriminator is missing in it.
    private func sent(
        _ value: JSONValue, _ one: Union.Case, of union: Union, _ sampler: SchemaSampler
    ) -> (value: JSONValue, lacksTag: Bool) {
        guard case .object(var members) = value, case .model(let index) = names.resolved(one.type),
            case .structure(let structure) = names.models[index].kind, structure.additional == nil,
            let (known, readOnly) = sampler.propertyNames(of: one.schema)
        else { return (value, false) }
        let tags = Set([union.discriminator, union.second].compactMap(\.self))
        let isInput = names.models[index].received != nil
        for name in members.keys
        where !known.contains(name) || isInput && readOnly.contains(name) && !tags.contains(name) {
            members[name] = nil
        }
        return (.object(members), union.discriminator.map { !known.contains($0) } ?? false)
    }
}
