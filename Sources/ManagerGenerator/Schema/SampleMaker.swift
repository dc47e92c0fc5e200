import DiscreteNetworkingJSON

/// Makes sample values of a type, from the description's examples where they fit.
struct SampleMaker {
    let names: TypeNames

    /// - Parameter isSent: whether it goes to the backend, where read-only properties have no place.
    func value(_ type: SwiftType, _ schema: Node?, isSent: Bool = false) -> JSONValue {
        var room = 2_000
        return value(type, schema, isSent: isSent, depth: 0, &room)
    }

    /// - Parameter room: How many more values may be made; once it is used up, optional values are omitted.
    private func value(
        _ type: SwiftType, _ schema: Node?, isSent: Bool, depth: Int, _ room: inout Int
    ) -> JSONValue {
        room -= 1
        // Schemas that need one another several times over are no description of anything.
        guard room > -10_000 else { return .null }
        let type = names.resolved(type)
        let fitting = examples(schema).first { fits($0, type, isSent: isSent) }
        if let fitting { return fitting }
        switch type {
        case .bool: return true
        case .int, .int64, .uint64: return .number(JSONNumber(integer(schema)))
        case .double, .decimal: return number(schema)
        case .string, .file: return .string(string(schema))
        case .date: return "2024-02-29T12:30:00.000Z"
        case .fullDate: return "2024-02-29"
        case .uuid: return "0f8fad5b-d9cb-469f-a165-70867728950e"
        case .data: return "aGVsbG8="
        case .json: return "anything"
        case .optional(let wrapped), .nullable(let wrapped):
            return value(wrapped, schema, isSent: isSent, depth: depth, &room)
        case .array(let element):
            guard depth < 4, room > 0 else { return [] }
            return [value(element, schema?["items"], isSent: isSent, depth: depth + 1, &room)]
        case .dictionary(let element):
            guard depth < 4, room > 0 else { return [:] }
            return [
                "key": value(
                    element, schema?["additionalProperties"], isSent: isSent, depth: depth + 1, &room)
            ]
        case .model(let index): return model(index, isSent: isSent, depth: depth + 1, &room)
        }
    }

    private func model(_ index: Int, isSent: Bool, depth: Int, _ room: inout Int) -> JSONValue {
        switch names.models[index].kind {
        case .openEnum(let open): return open.cases.first?.value ?? (open.isString ? "" : 0)
        case .union(let union):
            guard
                let one = union.cases.first(where: { depth < 6 || isShallow($0.type) }) ?? union.cases.first,
                depth < 24
            else { return .null }
            var value = value(one.type, nil, isSent: isSent, depth: depth, &room)
            if let discriminator = union.discriminator, let tag = one.tags.first,
                case .object(var members) = value, has(one.type, discriminator)
            {
                members[discriminator] = tag
                value = .object(members)
            }
            return value
        case .structure(let structure):
            var members: [String: JSONValue] = [:]
            for property in structure.properties {
                if isSent ? property.isReadOnly : property.isWriteOnly { continue }
                // Deep down only what has to be there.
                let isDeep = depth >= 4 || room <= 0
                guard property.isRequired || !isDeep else { continue }
                if property.isRequired, property.type.isOptional, isDeep {
                    members[property.wireName] = .null
                    continue
                }
                guard depth < 24 else { continue }
                members[property.wireName] = value(
                    property.type, property.schema, isSent: isSent, depth: depth, &room)
            }
            return .object(members)
        case .alias, .pending: return .null
        }
    }

    /// Whether an object has a property; a description may have a discriminator that its alternatives do not have.
    private func has(_ type: SwiftType, _ property: String) -> Bool {
        guard case .model(let index) = names.resolved(type),
            case .structure(let structure) = names.models[index].kind, structure.additional == nil
        else { return true }
        return structure.properties.contains { $0.wireName == property }
    }

    private func isShallow(_ type: SwiftType) -> Bool { names.resolved(type).models.isEmpty }

    // MARK: Examples

    private func examples(_ schema: Node?) -> [JSONValue] {
        guard let schema else { return [] }
        return [schema["example"]?.value, schema["x-example"]?.value].compactMap(\.self)
            + (schema["examples"]?.elements.map(\.value) ?? [])
            + [schema["default"]?.value].compactMap(\.self)
    }

    /// Whether a value is read and written again as it is.
    private func fits(_ value: JSONValue, _ type: SwiftType, isSent: Bool) -> Bool {
        switch type {
        case .bool: value.bool != nil
        case .int: value.int != nil && value.number?.literal.contains(".") == false
        case .int64: value.int64 != nil && value.number?.literal.contains(".") == false
        case .double: value.number.map { $0.literal.count < 15 } ?? false
        case .string:
            value.string.map { !$0.isEmpty && $0.count < 200 && !$0.contains(where: \.isNewline) } ?? false
        case .fullDate: value.string.flatMap(FullDate.init) != nil
        case .model(let index):
            if case .openEnum(let open) = names.models[index].kind {
                open.cases.contains { $0.value == value }
            } else {
                false
            }
        case .array(let element):
            value.array.map { !$0.isEmpty && $0.allSatisfy { fits($0, element, isSent: isSent) } } ?? false
        case .optional(let wrapped), .nullable(let wrapped):
            fits(value, names.resolved(wrapped), isSent: isSent)
        default: false
        }
    }

    // MARK: Made-up scalars

    private func integer(_ schema: Node?) -> Int {
        let least =
            schema?["minimum"]?.value.int ?? schema?["exclusiveMinimum"]?.value.int.map { max($0, $0 &+ 1) }
        let most =
            schema?["maximum"]?.value.int ?? schema?["exclusiveMaximum"]?.value.int.map { min($0, $0 &- 1) }
        return min(max(7, least ?? 7), most ?? .max)
    }

    private func number(_ schema: Node?) -> JSONValue {
        let least = schema?["minimum"]?.value.double ?? -.infinity
        let most = schema?["maximum"]?.value.double ?? .infinity
        if least <= 1.5, 1.5 <= most { return 1.5 }
        return (schema?["minimum"] ?? schema?["maximum"])?.value ?? 1.5
    }

    private func string(_ schema: Node?) -> String {
        switch schema?.string("format") {
        case "email": return "user@example.com"
        case "uri", "url": return "https://example.com/a"
        case "hostname": return "example.com"
        case "ipv4": return "192.0.2.1"
        case "ipv6": return "2001:db8::1"
        case "time": return "12:30:00"
        default: break
        }
        let least = min(schema?["minLength"]?.value.int ?? 0, 200)
        let most = schema?["maxLength"]?.value.int ?? .max
        let text = "text"
        if text.count < least { return String(repeating: "a", count: least) }
        return most < text.count ? String(repeating: "a", count: max(most, 1)) : text
    }
}
