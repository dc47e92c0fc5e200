#if os(Linux)
    import Foundation

    /// A Swift example of a doc comment, and the code that has to be around it.
    struct DocCommentExample {
        /// The path below the package's folder.
        let file: String
        /// The number of the first line of code.
        let line: Int
        let code: [String]
        /// The first line of the file. It says if the whole file is for other platforms.
        let head: String
        /// The first line below the comment, without attributes.
        let declaration: String

        var text: String { code.joined(separator: "\n") }

        /// The examples of a file, in order.
        static func all(in text: String, of file: String) -> [DocCommentExample] {
            let lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            var examples: [DocCommentExample] = []
            var first: Int?
            for (index, line) in lines.enumerated() {
                if line == "/// ```swift" {
                    first = index + 1
                } else if line == "/// ```", let begin = first {
                    let rest = lines[index...].drop { $0.hasPrefix("///") || $0.hasPrefix("@") }
                    let texts = text.components(separatedBy: "\n")[begin..<index]
                    examples.append(
                        DocCommentExample(
                            file: file, line: begin + 1, code: texts.map(Self.uncommented), head: lines[0],
                            declaration: rest.first ?? ""))
                    first = nil
                }
            }
            return examples
        }

        private static func uncommented(_ line: String) -> String {
            let text = line.drop { $0 == " " }.dropFirst(3)
            return String(text.first == " " ? text.dropFirst() : text)
        }

        // MARK: Source

        /// The example in a program. What has to be at file scope is there, an override is in a manager, and members of a
        /// service are in a service. Statements are in a function, and types without statements in a namespace.
        /// - Parameter serviceMembers: The names of the functions of `Service`.
        func source(_ number: Int, serviceMembers: Set<String>) -> String {
            var source: [String] = []
            var rest: [Part] = []
            for (index, part) in parts.enumerated() {
                switch part.kind {
                case .file: source.append(located(part))
                case .override:
                    // Each has a class of its own: an example may show several overrides of one member.
                    source.append(
                        "final class Example\(number)_\(index): Endpoint<Product> {\n\(located(part))\n}")
                case .type, .function, .statement: rest.append(part)
                }
            }
            let body = rest.map(located).joined(separator: "\n")
            let isService = rest.contains { part in
                if case .function(let name) = part.kind { serviceMembers.contains(name) } else { false }
            }
            if rest.isEmpty {
            } else if isService {
                // The compiler warns about a member of a service with a type that is almost right.
                source.append(
                    "final class Example\(number): Service {\nlet baseURL = url\n\(body)\n}")
            } else if rest.allSatisfy({ $0.kind == .type }) {
                source.append("enum Example\(number) {\n\(body)\n}")
            } else {
                source.append("@MainActor func example\(number)() async throws {\n\(body)\n}")
            }
            return source.joined(separator: "\n")
        }

        /// The compiler reports the lines of the doc comment.
        private func located(_ part: Part) -> String {
            let path = Snippets.root.appendingPathComponent(file).path
            let lines = part.lines.joined(separator: "\n")
            return "#sourceLocation(file: \"\(path)\", line: \(line + part.offset))\n\(lines)\n#sourceLocation()"
        }

        // MARK: Parts

        /// A declaration or a statement, and the comments before it.
        private struct Part {
            /// The index of its first line.
            let offset: Int
            var lines: [String]

            enum Kind: Equatable { case file, type, override, function(String), statement }

            private var codeLine: String? {
                lines.first { !$0.hasPrefix("//") && !($0.hasPrefix("@") && !$0.contains(" ")) }
            }

            /// Whether it has no code yet.
            var isComment: Bool { codeLine == nil }

            var kind: Kind {
                let words = (codeLine ?? "").components(separatedBy: " ").drop {
                    $0.hasPrefix("@") || ["final", "private", "nonisolated"].contains($0)
                }
                switch words.first {
                case "import", "extension": return .file
                case "class", "struct", "enum", "protocol", "actor": return .type
                case "override": return .override
                case "func": return .function(String(words.dropFirst().first?.prefix { $0 != "(" } ?? ""))
                default: return .statement
                }
            }
        }

        /// A part begins at a line without indentation.
        private var parts: [Part] {
            var parts: [Part] = []
            for (offset, line) in code.enumerated() {
                let continuations = [" ", "}", ")", "]", "{", "#else", "#endif"]
                let isInside = line.isEmpty || continuations.contains(where: line.hasPrefix)
                if let last = parts.last, isInside || last.isComment {
                    parts[parts.count - 1].lines.append(line)
                } else {
                    parts.append(Part(offset: offset, lines: [line]))
                }
            }
            return parts
        }
    }
#endif
