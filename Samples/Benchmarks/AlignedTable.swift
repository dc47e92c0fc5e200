/// A table in Markdown whose columns line up on a terminal too.
struct AlignedTable {
    let heads: [String]
    /// The number of columns with text, which come first. The others have numbers, which end below each other.
    let texts: Int
    var rows: [[String]] = []

    /// The lines: the heads, a rule, and the rows.
    var lines: [String] {
        let widths = heads.indices.map { column in
            max(3, ([heads] + rows).map { $0[column].count }.max() ?? 0)
        }
        let rule = widths.enumerated().map { column, width in
            column < texts
                ? String(repeating: "-", count: width) : String(repeating: "-", count: width - 1) + ":"
        }
        return ([heads, rule] + rows).map { cells in
            let padded = zip(cells, widths).enumerated().map { column, pair in
                let space = String(repeating: " ", count: pair.1 - pair.0.count)
                return column < texts ? pair.0 + space : space + pair.0
            }
            return "| \(padded.joined(separator: " | ")) |"
        }
    }
}
