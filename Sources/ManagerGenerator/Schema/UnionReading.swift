import DiscreteNetworkingJSON
import Foundation

/// Works out which case of a union a value is decoded to, as the generated code does it.
struct UnionReading {
    let names: TypeNames

    /// - Returns: The case; `nil` for `other`.
    func chosen(_ union: Union, _ value: JSONValue) -> Union.Case? {
        guard let property = union.discriminator else { return first(union.cases, value) }
        func first(_ cases: [Union.Case], _ value: JSONValue) -> Union.Case? {
            let second = union.second.flatMap { value.object?[$0] }
            return self.first(
                cases.filter { $0.secondTags.isEmpty || second.map($0.secondTags.contains) == true }, value)
        }
        let tag = value.object?[property].flatMap { $0.isNull ? nil : $0 }
        guard let tag else {
            return first(union.withoutTag, value)
        }
        let group = union.groups.first { $0.tags.contains(tag) }?.cases
        return group.flatMap { $0.count == 1 ? $0[0] : first($0, value) }
            ?? (group == nil ? first(union.untagged, value) : nil)
    }

    private func first(_ cases: [Union.Case], _ value: JSONValue) -> Union.Case? {
        cases.first { reads(value, $0.type, depth: 0) }
    }

    private func reads(_ value: JSONValue, _ type: SwiftType, depth: Int) -> Bool {
        guard depth < 24 else { return true }
        func all(_ values: some Sequence<JSONValue>, _ type: SwiftType) -> Bool {
            values.allSatisfy { reads($0, type, depth: depth + 1) }
        }
        switch names.resolved(type) {
        case .bool: return value.bool != nil
        case .int: return value.int != nil
        case .int64: return value.int64 != nil
        case .uint64: return value.number.map { UInt64($0.literal) != nil } ?? false
        case .double, .decimal: return value.number != nil
        case .string, .file: return value.string != nil
        case .date: return value.string.map { RFC3339.date(from: $0) != nil } ?? false
        case .fullDate: return value.string.flatMap(FullDate.init) != nil
        case .uuid: return value.string.flatMap(UUID.init(uuidString:)) != nil
        case .data: return value.string.flatMap { Data(base64Encoded: $0) } != nil
        case .json: return true
        case .optional(let wrapped): return value.isNull || reads(value, wrapped, depth: depth)
        case .array(let element): return value.array.map { all($0, element) } ?? false
        case .dictionary(let element): return value.object.map { all($0.values, element) } ?? false
        case .model(let index):
            switch names.models[index].kind {
            case .openEnum(let open): return open.isString ? value.string != nil : value.int != nil
            case .structure(let structure): return reads(value, structure, depth: depth)
            case .union, .alias, .pending: return true
            }
        }
    }

    private func reads(_ value: JSONValue, _ structure: Structure, depth: Int) -> Bool {
        guard let members = value.object else { return false }
        return structure.properties.allSatisfy { property in
            guard let member = members[property.wireName], !member.isNull else {
                return !property.isRequired || property.type.isOptional || property.type == .json
            }
            return reads(member, property.type, depth: depth + 1)
        }
    }
}

/// A value of a case of a union, made from the description.
struct UnionSample {
    let caseName: String
    let value: JSONValue
    /// What is sent of it.
    let sent: JSONValue
}

extension UnionReading {
    /// Samples of each case of the used unions. Alternatives that nothing tells apart are reported, and have none.
    func samples(_ sampler: SchemaSampler, of used: Set<Int>, report: Report) -> [Int: [UnionSample]] {
        var samples: [Int: [UnionSample]] = [:]
        for index in used.sorted() {
            guard case .union(let union) = names.models[index].kind else { continue }
            for one in union.cases {
                guard let value = sampler.value(one.schema, in: union.schema) else { continue }
                if let other = chosen(union, value), other.name != one.name,
                    !sampler.areDistinct(one.schema, other.schema)
                {
                    report.add(
                        "reads \(one.name) as \(other.name): no constant and no required property tells them apart.",
                        at: names.models[index].place)
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
