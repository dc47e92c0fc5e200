/// Makes names unique by appending a number to one that is taken.
struct NameRegistry {
    private var taken: Set<String>
    /// The number to try first for a name that is taken.
    private var numbers: [String: Int] = [:]

    init(reserved: Set<String> = []) { taken = reserved }

    /// - Parameter isTaken: Whether a lowercased name is taken elsewhere. A name that is stays so.
    mutating func unique(_ name: String, isTaken: (String) -> Bool = { _ in false }) -> String {
        // File names tell no capitals apart on a Mac.
        let lower = name.lowercased()
        guard taken.contains(lower) || isTaken(lower) else {
            taken.insert(lower)
            return name
        }
        var number = numbers[lower] ?? 2
        while taken.contains(lower + String(number)) || isTaken(lower + String(number)) { number += 1 }
        numbers[lower] = number + 1
        taken.insert(lower + String(number))
        return name + String(number)
    }

    func contains(_ name: String) -> Bool { taken.contains(name.lowercased()) }
}
