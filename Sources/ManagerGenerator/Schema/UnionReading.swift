import DiscreteNetworkingJSON
import Foundation

/// Works out which case of a union a value is decoded to, as the generated code does it.
struct UnionReading {
    let names: TypeNames

    /// What a model encodes of a value that it has decoded.
    struct Copy {
        let value: JSONValue
        /// Whether a union in it is of no known alternative.
        var hasOther = false
        /// Whether the value itself is of no known alternative.
        var isOther = false
    }

    private static let depthLimit = 64

    /// - Returns: The case; `nil` for `other`.
    func chosen(_ union: Union, _ value: JSONValue) -> Union.Case? { choice(union, value, 0)?.one }

    /// What is encoded of a value after it was decoded; `nil` if it is not decoded.
    func copy(_ value: JSONValue, as type: SwiftType) -> Copy? { copy(value, type, 0) }

    // MARK: Unions

    private func choice(_ union: Union, _ value: JSONValue, _ depth: Int) -> (one: Union.Case, copy: Copy)? {
        guard let property = union.discriminator else { return best(union.cases, value, depth) }
        let second = union.second.flatMap { value.object?[$0] }
        func tried(_ cases: [Union.Case]) -> (one: Union.Case, copy: Copy)? {
            let fitting = cases.filter { one in
                one.secondTags.isEmpty || second.map(one.secondTags.contains) == true
            }
            return best(fitting, value, depth)
        }
        let tag = value.object?[property].flatMap { $0.isNull ? nil : $0 }
        guard let tag else { return tried(union.withoutTag) }
        guard let group = union.groups.first(where: { $0.tags.contains(tag) })?.cases else {
            return tried(union.untagged)
        }
        guard group.count == 1 else { return tried(group) }
        return copy(value, group[0].type, depth).map { (group[0], $0) }
    }

    /// Whether the discriminator leaves one case only, so that an error of it is an error of the union.
    private func isSure(_ union: Union, _ value: JSONValue) -> Bool {
        guard let property = union.discriminator, let tag = value.object?[property] else { return false }
        return union.groups.first { $0.tags.contains(tag) }?.cases.count == 1
    }

    /// The alternative that loses the fewest members, as ``Alternatives`` chooses it.
    private func best(
        _ cases: [Union.Case], _ value: JSONValue, _ depth: Int
    ) -> (one: Union.Case, copy: Copy)? {
        var best: (one: Union.Case, copy: Copy, score: [Int])?
        for one in cases {
            guard let copy = copy(value, one.type, depth + 1), !copy.isOther else { continue }
            let loss = MemberLoss(of: value, in: copy.value)
            guard loss.fits, !copy.hasOther || loss.lost == 0 else { continue }
            let score = [loss.lost, copy.hasOther ? 1 : 0]
            if score == [0, 0] { return (one, copy) }
            if best.map({ score.lexicographicallyPrecedes($0.score) }) ?? true { best = (one, copy, score) }
        }
        return best.map { ($0.one, $0.copy) }
    }

    // MARK: Values

    private func copy(_ value: JSONValue, _ type: SwiftType, _ depth: Int) -> Copy? {
        guard depth < Self.depthLimit else { return nil }
        func all(_ values: [JSONValue], _ type: SwiftType) -> (values: [JSONValue], hasOther: Bool)? {
            var copies: [Copy] = []
            for value in values {
                guard let copy = copy(value, type, depth + 1) else { return nil }
                copies.append(copy)
            }
            return (copies.map(\.value), copies.contains(where: \.hasOther))
        }
        func scalar(_ isRead: Bool) -> Copy? { isRead ? Copy(value: value) : nil }
        switch names.resolved(type) {
        case .bool: return scalar(value.bool != nil)
        case .int: return scalar(value.int != nil)
        case .int64: return scalar(value.int64 != nil)
        case .uint64: return scalar(value.number.map { UInt64($0.literal) != nil } ?? false)
        case .double, .decimal: return scalar(value.number != nil)
        case .string, .file: return scalar(value.string != nil)
        case .date: return scalar(value.string.map { RFC3339.date(from: $0) != nil } ?? false)
        case .fullDate: return scalar(value.string.flatMap(FullDate.init) != nil)
        case .uuid: return scalar(value.string.flatMap(UUID.init(uuidString:)) != nil)
        case .data: return scalar(value.string.flatMap { Data(base64Encoded: $0) } != nil)
        case .json: return Copy(value: value)
        case .optional(let wrapped), .nullable(let wrapped):
            return value.isNull ? Copy(value: .null) : copy(value, wrapped, depth)
        case .array(let element):
            guard let (copies, hasOther) = value.array.flatMap({ all($0, element) }) else { return nil }
            return Copy(value: .array(copies), hasOther: hasOther)
        case .dictionary(let element):
            let members = (value.object ?? [:]).sorted { $0.key < $1.key }
            guard value.object != nil, let (copies, hasOther) = all(members.map(\.value), element) else {
                return nil
            }
            return Copy(
                value: .object(Dictionary(uniqueKeysWithValues: zip(members.map(\.key), copies))),
                hasOther: hasOther)
        case .model(let index):
            switch names.models[index].kind {
            case .openEnum(let open): return scalar(open.isString ? value.string != nil : value.int != nil)
            case .structure(let structure): return copy(value, structure, depth)
            case .union(let union):
                if let copy = choice(union, value, depth)?.copy { return copy }
                return isSure(union, value) ? nil : Copy(value: value, hasOther: true, isOther: true)
            case .alias, .pending: return nil
            }
        }
    }

    private func copy(_ value: JSONValue, _ structure: Structure, _ depth: Int) -> Copy? {
        guard var rest = value.object else { return nil }
        var members: [String: JSONValue] = [:]
        var hasOther = false
        func add(_ name: String, _ member: JSONValue, _ type: SwiftType) -> Bool {
            guard let copy = copy(member, type, depth + 1) else { return false }
            members[name] = copy.value
            hasOther = hasOther || copy.hasOther
            return true
        }
        for property in structure.properties {
            let member = rest.removeValue(forKey: property.wireName)
            if let member,
                !member.isNull || property.isRequired && !property.type.isOptional
                    || property.type.isClearable
            {
                guard add(property.wireName, member, property.type) else { return nil }
            } else if property.isRequired {
                guard property.type.isOptional else { return nil }
                members[property.wireName] = .null
            }
        }
        if let additional = structure.additional {
            for (name, member) in rest {
                guard add(name, member, additional) else { return nil }
            }
        }
        return Copy(value: .object(members), hasOther: hasOther)
    }
}
