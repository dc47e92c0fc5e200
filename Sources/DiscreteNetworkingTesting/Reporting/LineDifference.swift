/// A difference of two lists by line: common, expected (`-`) and actual (`+`) lines.
enum LineDifference {
    static func text(expected: [String], actual: [String]) -> String {
        var lines = expected.map { "  " + $0 }
        let difference = actual.difference(from: expected)
        // Removed lines stay in the list, so insertions are counted past them.
        var removed: Set<Int> = []
        for case .remove(let offset, let line, _) in difference {
            lines[offset] = "- " + line
            removed.insert(offset)
        }
        var positions = expected.indices.filter { !removed.contains($0) }
        for case .insert(let offset, let line, _) in difference {
            // The position after the previous line and lines removed there.
            var place = offset == 0 ? 0 : positions[offset - 1] + 1
            while place < lines.count, lines[place].hasPrefix("- ") { place += 1 }
            lines.insert("+ " + line, at: place)
            positions = positions.map { $0 >= place ? $0 + 1 : $0 }
            positions.insert(place, at: offset)
        }
        return lines.map { "  " + $0 }.joined(separator: "\n")
    }
}
