import Foundation

/// Writes the UUIDs of an encoded value in lower case (RFC 9562 section 4). `UUID.encode(to:)` writes them in upper case, and
/// `JSONEncoder` has no strategy for them.
enum EncodedUUIDs {
    /// Replaces the texts of those UUIDs that are stored in the value; strings of the app stay as they are.
    static func lowercased(in json: JSONValue, of value: Any) -> JSONValue {
        guard mayHaveUUID(json) else { return json }
        var texts: Set<String> = []
        var seen: Set<ObjectIdentifier> = []
        collect(value, depth: 0, &texts, &seen)
        return texts.isEmpty ? json : replaced(json, texts)
    }

    private static func isUpperCaseUUID(_ text: String) -> Bool {
        text.utf8.count == 36 && text.utf8.allSatisfy { $0 == 0x2D || 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 }
            && UUID(uuidString: text) != nil
    }

    private static func mayHaveUUID(_ json: JSONValue) -> Bool {
        switch json {
        case .string(let text): isUpperCaseUUID(text)
        case .array(let elements): elements.contains(where: mayHaveUUID)
        case .object(let members): members.values.contains(where: mayHaveUUID)
        default: false
        }
    }

    private static func collect(
        _ value: Any, depth: Int, _ texts: inout Set<String>, _ seen: inout Set<ObjectIdentifier>
    ) {
        if let uuid = value as? UUID {
            texts.insert(uuid.uuidString)
            return
        }
        guard depth < 64 else { return }
        var mirror: Mirror? = Mirror(reflecting: value)
        if mirror?.displayStyle == .class, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted {
            return
        }
        while let current = mirror {
            for child in current.children { collect(child.value, depth: depth + 1, &texts, &seen) }
            mirror = current.superclassMirror
        }
    }

    private static func replaced(_ json: JSONValue, _ texts: Set<String>) -> JSONValue {
        switch json {
        case .string(let text) where texts.contains(text): .string(text.lowercased())
        case .array(let elements): .array(elements.map { replaced($0, texts) })
        case .object(let members): .object(members.mapValues { replaced($0, texts) })
        default: json
        }
    }
}
