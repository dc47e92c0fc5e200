/// Finds the name that somebody meant.
package enum NearName {
    /// - Returns: The known name with the fewest different letters, of several the one with the longest equal beginning; `nil`
    ///   if none is near.
    package static func of(_ name: String, among known: some Sequence<String>) -> String? {
        let typed = Array(name.lowercased().utf8)
        var nearest: (name: String, rank: (Int, Int))?
        for candidate in known {
            let letters = Array(candidate.lowercased().utf8)
            // Short names are near to many others. A long name of a description costs no time.
            let limit = letters.count < 6 ? 1 : letters.count < 10 ? 2 : 3
            guard abs(letters.count - typed.count) <= limit else { continue }
            let distance = distance(typed, letters)
            let common = zip(letters, typed).prefix { $0 == $1 }.count
            let rank = (distance, -common)
            if distance <= limit, nearest.map({ rank < $0.rank }) ?? true { nearest = (candidate, rank) }
        }
        return nearest?.name
    }

    /// A sentence with the near name, and a space before it; empty if there is none.
    package static func hint(_ name: String, among known: some Sequence<String>) -> String {
        of(name, among: known).map { " Did you mean \($0)?" } ?? ""
    }

    /// The Levenshtein distance.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(diagonal + (byte == other ? 0 : 1), min(above, row[column]) + 1)
                diagonal = above
            }
        }
        return row[right.count]
    }
}
