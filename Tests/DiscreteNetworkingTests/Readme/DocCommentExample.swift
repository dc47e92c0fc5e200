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
            let source = text.components(separatedBy: "\n")
            let lines = source.map { $0.trimmingCharacters(in: .whitespaces) }
            var examples: [DocCommentExample] = []
            var first: Int?
            for (index, line) in lines.enumerated() {
                if line == "/// ```swift" {
                    first = index + 1
                } else if line == "/// ```", let begin = first {
                    let rest = lines[index...].drop { $0.hasPrefix("///") || $0.hasPrefix("@") }
                    examples.append(
                        DocCommentExample(
                            file: file, line: begin + 1, code: source[begin..<index].map(Self.uncommented),
                            head: lines[0],
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

        /// The example in a program. Overrides are in a manager, members of a service in a service, statements in a function,
        /// and all in a namespace, without what has to be at file scope.
        /// - Parameter serviceMembers: The names of the functions of `Service`.
        func source(_ number: Int, serviceMembers: Set<String>) -> String {
            var program = Program(namespace: "Example\(number)")
            let parts = DocCommentPart.all(in: code, from: line)
            program.types = parts.compactMap { if case .type(let name) = $0.kind { name } else { nil } }
            var rest: [DocCommentPart] = []
            for (index, part) in parts.enumerated() {
                switch part.kind {
                case .file: program.outside.append(located(part))
                // Each has a class of its own: an example may show several overrides of one member.
                case .override:
                    let begin = "final class Manager\(index): Endpoint<Product> {"
                    program.inside += [begin, located(part), "}"]
                case .type: add(part, to: &program)
                case .function, .computed, .statement: rest.append(part)
                }
            }
            let isService = rest.contains { part in
                if case .function(let name) = part.kind { serviceMembers.contains(name) } else { false }
            }
            if isService {
                let url = "let baseURL = URL(string: \"https://api.example.com\")!"
                add("Backend", ["final class Backend {", url], "Service", rest, to: &program)
            } else if !rest.isEmpty {
                // In an asynchronous function, some methods have to be awaited that others only start.
                let effects = text.contains("await ") ? "async throws" : "throws"
                let begin = "@MainActor static func run() \(effects) {"
                program.inside += [begin] + rest.map(located) + ["}"]
            }
            return program.text
        }

        private struct Program {
            let namespace: String
            /// The names of the types in the namespace.
            var types: [String] = []
            var inside: [String] = []
            var outside: [String] = []

            var text: String {
                (["enum \(namespace) {"] + inside + ["}"] + outside).joined(separator: "\n")
            }
        }

        private func add(_ type: DocCommentPart, to program: inout Program) {
            guard let index = type.lines.firstIndex(where: DocCommentPart.isCode), type.lines.last == "}",
                let head = type.lines[index].wholeMatch(of: /(.*(?:class|struct) (\w+)): (\w+) {/),
                head.3 != "XCTestCase"
            else { return program.inside.append(located(type)) }
            let body = type.lines[(index + 1)...].dropLast().map { String($0.dropFirst(4)) }
            // The protocols of managers' collaborators are isolated, and with them a type that names one.
            let begin = head.3.hasPrefix("APIManager") ? "@MainActor \(head.1) {" : "\(head.1) {"
            add(
                String(head.2), type.lines[..<index] + [begin], String(head.3),
                DocCommentPart.all(in: body, from: type.line + index + 1), to: &program)
        }

        /// Adds a type that conforms to a protocol in an extension. Only there, the compiler warns about a member that is not the
        /// protocol's, because it has another type, and that is therefore not used.
        private func add(
            _ name: String, _ begin: [String], _ conformance: String, _ parts: [DocCommentPart],
            to program: inout Program
        ) {
            // An extension does not see the other types of the namespace.
            let aliases = program.types.filter { $0 != name }.map {
                "typealias \($0) = \(program.namespace).\($0)"
            }
            func isMember(_ part: DocCommentPart) -> Bool {
                if case .function = part.kind { true } else { part.kind == .computed }
            }
            program.inside += begin + aliases + parts.filter { !isMember($0) }.map(located) + ["}"]
            program.outside.append("extension \(program.namespace).\(name): \(conformance) {")
            program.outside += parts.filter(isMember).map(located) + ["}"]
        }

        /// The compiler reports the lines of the doc comment.
        private func located(_ part: DocCommentPart) -> String {
            let path = Snippets.root.appendingPathComponent(file).path
            let lines = part.lines.joined(separator: "\n")
            return "#sourceLocation(file: \"\(path)\", line: \(part.line))\n\(lines)\n#sourceLocation()"
        }
    }
#endif
