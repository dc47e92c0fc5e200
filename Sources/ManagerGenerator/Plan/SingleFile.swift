import Foundation

/// The code of a module in one file, for a plugin that has to name its outputs before it runs.
struct SingleFile {
    let options: GeneratorOptions

    /// - Returns: The exit status.
    func write(
        to path: String, _ out: (String) -> Void, _ error: (String) -> Void
    ) throws(GeneratorError) -> Int32 {
        let generation = try Generation.make(options)
        let beginning = "\(options.module)/"
        let files = generation.files.filter { $0.path.hasPrefix(beginning) && !$0.isWrittenOnce }
        var imports: Set<Substring> = []
        var bodies: [String] = []
        for file in files {
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            imports.formUnion(lines.filter { $0.hasPrefix("import ") })
            // The comments at the top are those of a file.
            let body = lines.drop { $0.isEmpty || $0.hasPrefix("import ") || $0.hasPrefix("// ") }
            bodies.append(body.joined(separator: "\n"))
        }
        let head = "\(Generation.mark). Do not edit: the next build overwrites changes.\n"
        let text =
            ([head + "// swift-format-ignore-file\n\n" + imports.sorted().joined(separator: "\n") + "\n"]
            + bodies)
            .joined(separator: "\n")
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch let problem {
            throw GeneratorError("\(path) cannot be written: \(problem.localizedDescription)")
        }
        for note in generation.notes { out("\(note.place) \(note.text)") }
        for problem in generation.errors { error("error: \(problem)") }
        return generation.errors.isEmpty ? 0 : 3
    }
}
