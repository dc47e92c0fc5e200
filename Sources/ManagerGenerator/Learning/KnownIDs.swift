import DiscreteNetworkingJSON

/// Ids that a server has responded with: the server knows them, and may not know the examples of its description.
struct KnownIDs {
    /// The first value of each name, by its words: `room_id` and `joined_rooms` are ids of a room.
    private var values: [[String]: String] = [:]
    private static let depthLimit = 6

    mutating func add(_ value: JSONValue) { add(value, depth: 0) }

    /// Returns a value for a parameter such as `roomId`.
    func value(for name: String) -> String? { values[Self.words(name)] }

    private static func words(_ name: String) -> [String] { Words.split(name).map { $0.lowercased() } }

    private mutating func add(_ value: JSONValue, depth: Int) {
        guard depth < Self.depthLimit else { return }
        for element in (value.array ?? []).prefix(20) { add(element, depth: depth + 1) }
        for (name, member) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            let words = Self.words(name)
            if let id = Self.text(member) {
                // Of other members nothing says what they identify, an `id` included.
                if words.last == "id", words.count > 1 { add(id, as: words) }
            } else if let id = member.array?.first.flatMap(Self.text) {
                let item = Words.singular(words)
                if item.last != "item" { add(id, as: item + ["id"]) }
            }
            add(member, depth: depth + 1)
        }
    }

    /// `joined_room_id` is a `room_id`, too.
    private mutating func add(_ id: String, as words: [String]) {
        for name in [words, words.suffix(2)] where values[Array(name)] == nil { values[Array(name)] = id }
    }

    private static func text(_ value: JSONValue) -> String? {
        // A dot segment leads to another path (RFC 3986, section 5.2.4).
        if let text = value.string { return ["", ".", ".."].contains(text) ? nil : text }
        return value.number?.literal
    }
}
