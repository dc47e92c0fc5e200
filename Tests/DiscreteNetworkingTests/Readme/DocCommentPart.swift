#if os(Linux)
    /// A declaration or a statement, and the comments before it.
    struct DocCommentPart {
        /// The number of its first line in the file.
        let line: Int
        var lines: [String]

        enum Kind: Equatable {
            case file, override, computed, statement
            case type(String)
            case function(String)
        }

        var kind: Kind {
            let code = lines.first(where: Self.isCode) ?? ""
            let words = code.components(separatedBy: " ").drop {
                $0.hasPrefix("@") || ["final", "private", "nonisolated", "static"].contains($0)
            }
            let name = String(words.dropFirst().first?.prefix { $0.isLetter || $0.isNumber } ?? "")
            switch words.first {
            case "import", "extension": return .file
            case "class", "struct", "enum", "protocol", "actor": return .type(name)
            case "override": return .override
            case "func": return .function(name)
            case "var": return code.contains("{") && !code.contains(" = ") ? .computed : .statement
            default: return .statement
            }
        }

        /// Whether a line is neither a comment nor an attribute of the next line.
        static func isCode(_ line: String) -> Bool {
            !line.hasPrefix("//") && !(line.hasPrefix("@") && !line.contains(" "))
        }

        /// A part begins at a line without indentation.
        static func all(in lines: [String], from first: Int) -> [DocCommentPart] {
            let continuations = [" ", "}", ")", "]", "{", "#else", "#endif"]
            var parts: [DocCommentPart] = []
            for (offset, line) in lines.enumerated() {
                let isInside = line.isEmpty || continuations.contains(where: line.hasPrefix)
                if let last = parts.last, isInside || !last.lines.contains(where: isCode) {
                    parts[parts.count - 1].lines.append(line)
                } else {
                    parts.append(DocCommentPart(line: first + offset, lines: [line]))
                }
            }
            return parts
        }
    }
#endif
