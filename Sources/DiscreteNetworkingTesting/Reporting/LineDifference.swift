/// Two lists line by line: what is in both, what is only expected (`-`), what is only there (`+`).
enum LineDifference {
    static func text(expected: [String], actual: [String]) -> String {
        var lines = expected.map { "  " + $0 }
        let difference = actual.difference(from: expected)
        // Removals keep their place, so that insertions are counted past them.
        var removed: Set<Int> = []
        for case .remove(let offset, let line, _) in difference {
            lines[offset] = "- " + line
            removed.insert(offset)
        }
        var positions = expected.indices.filter { !removed.contains($0) }
        for case .insert(let offset, let line, _) in difference {
            // The place of the line before it, past what was removed there.
            var place = offset == 0 ? 0 : positions[offset - 1] + 1
            while place < lines.count, lines[place].hasPrefix("- ") { place += 1 }
            lines.insert("+ " + line, at: place)
            positions = positions.map { $0 >= place ? $0 + 1 : $0 }
            positions.insert(place, at: offset)
        }
        return lines.map { "  " + $0 }.joined(separator: "\n")
    }
}
