/// Makes names unique by appending a number to one that is taken.
struct NameRegistry {
    private var taken: Set<String>

    init(reserved: Set<String> = []) { taken = reserved }

    mutating func unique(_ name: String, avoiding others: Set<String> = []) -> String {
        var candidate = name
        var number = 2
        // File names tell no capitals apart on a Mac.
        while taken.contains(candidate.lowercased()) || others.contains(candidate.lowercased()) {
            candidate = "\(name)\(number)"
            number += 1
        }
        taken.insert(candidate.lowercased())
        return candidate
    }

    func contains(_ name: String) -> Bool { taken.contains(name.lowercased()) }

    var names: Set<String> { taken }
}
