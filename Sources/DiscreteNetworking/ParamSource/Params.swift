/// The arguments of one call.
public struct Params: Sendable, Hashable {
    /// The values by name.
    public private(set) var values: [String: JSONValue]

    public init(values: [String: JSONValue] = [:]) { self.values = values }

    public subscript(name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}
