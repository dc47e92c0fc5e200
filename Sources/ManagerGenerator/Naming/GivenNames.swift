/// The names that managers and models had in the previous run: a new operation does not rename others.
struct GivenNames: Sendable, Equatable {
    /// By endpoint, such as `GET /pets`, or by the place of a schema, such as `/components/schemas/Pet`.
    private(set) var names: [String: String] = [:]

    /// - Parameter names: Names that are no Swift types, or that two have, are left out.
    init(_ names: [String: String] = [:]) {
        var taken: Set<String> = []
        for (key, name) in names.sorted(by: { $0.key < $1.key }) {
            guard Self.isType(name), taken.insert(name.lowercased()).inserted else { continue }
            self.names[key] = name
        }
    }

    subscript(_ key: String) -> String? { names[key] }

    /// The names in lower case.
    var taken: Set<String> { Set(names.values.map { $0.lowercased() }) }

    /// The same names but those that mean something else by now.
    func without(_ reserved: Set<String>) -> Self {
        GivenNames(names.filter { !reserved.contains($0.value.lowercased()) })
    }

    /// Whether a place stays the same when a list gets another element.
    static func isStable(_ place: Place) -> Bool {
        place.pointer.allSatisfy { Int($0) == nil || $0.count == 3 }
    }

    private static func isType(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isXIDStart else { return false }
        return name.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
            && Character(first).isLowercase == false && !ReservedTypes.names.contains(name)
    }
}
