import DiscreteNetworkingJSON

/// Schemas named in a script without capitals, such as `宠物`: their types have this name where nothing else in the description
/// has it. Otherwise a property and its type would be one word.
struct UncasedNames {
    private var free: Set<String> = []

    /// Members whose texts are for people or are references.
    private static let texts: Set<String> = [
        "$ref", "description", "title", "summary", "example", "examples",
    ]

    init(_ schemas: [String], in root: Node) {
        free = Set(schemas.filter { $0.first?.isLetter == true && $0.first?.isCased == false })
        guard !free.isEmpty else { return }
        // The names of the schemas themselves stand in one object.
        let owners = [["components", "schemas"], ["definitions"]].compactMap {
            root.value.value(at: $0)?.object
        }
        for schema in owners.flatMap(\.values) { take(schema) }
        for (name, member) in root.value.object ?? [:] where !["components", "definitions"].contains(name) {
            take(member)
        }
        for (name, member) in root["components"]?.value.object ?? [:] where name != "schemas" { take(member) }
    }

    /// Takes the names that a value uses.
    private mutating func take(_ value: JSONValue) {
        switch value {
        case .object(let members):
            for (name, member) in members {
                free.remove(name)
                // A case of a union has the name of its schema.
                if ["oneOf", "anyOf"].contains(name) {
                    for alternative in member.array ?? [] {
                        if let last = alternative["$ref"]?.string?.split(separator: "/").last {
                            free.remove(String(last).removingPercentEncoding ?? String(last))
                        }
                    }
                }
                if !Self.texts.contains(name) { take(member) }
            }
        case .array(let elements): for element in elements { take(element) }
        case .string(let text): free.remove(text)
        default: break
        }
    }

    func type(_ name: String) -> String {
        let type = SwiftName.type(name)
        guard free.contains(name), type == name + "Model" else { return type }
        return name
    }
}
