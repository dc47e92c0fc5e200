import DiscreteNetworkingJSON

extension JSONValue {
    /// The value at a JSON pointer (RFC 6901), as unescaped tokens; `nil` if there is none.
    func value(at pointer: some Collection<String>) -> JSONValue? {
        guard let token = pointer.first else { return self }
        let next = Int(token).flatMap { index in
            array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        }
        return (next ?? self[token])?.value(at: pointer.dropFirst())
    }

    /// The same value with another one at a JSON pointer; as it is if there is none.
    /// - Parameter change: returns `nil` to remove the value.
    func changed(at pointer: ArraySlice<String>, _ change: (JSONValue) -> JSONValue?) -> JSONValue {
        guard let token = pointer.first else { return change(self) ?? .null }
        func inner(_ value: JSONValue) -> JSONValue? {
            pointer.count == 1 ? change(value) : value.changed(at: pointer.dropFirst(), change)
        }
        switch self {
        case .object(var members):
            guard let old = members[token] else { return self }
            members[token] = inner(old)
            return .object(members)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return self }
            if let new = inner(elements[index]) { elements[index] = new } else { elements.remove(at: index) }
            return .array(elements)
        default: return self
        }
    }
}
