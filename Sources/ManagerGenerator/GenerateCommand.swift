import DiscreteNetworkingCommands
import Foundation

/// The command `generate-managers`.
package enum GenerateCommand {
    /// Runs the command.
    /// - Parameters:
    ///   - out: told what is for the user, line by line.
    ///   - error: told why nothing could be done.
    /// - Returns: the exit status: 0, 1 where `--check` finds a change that breaks callers, 2 where nothing could be done, 3 where
    ///   references lead nowhere and the rest was written, 64 for wrong options.
    package static func run(
        _ arguments: [String], out: (String) -> Void = CommandOutput.standard.write,
        error: (String) -> Void = CommandOutput.error.write
    ) -> Int32 {
        // What a description says reaches a terminal here, and nowhere else.
        func tell(_ line: String) { out(VisibleText.line(line)) }
        let options: GeneratorOptions
        do throws(GeneratorError) { options = try GeneratorOptions(arguments) } catch let problem {
            error(UsageError("\(problem)").report(GeneratorOptions.help))
            return UsageError.status
        }
        do throws(GeneratorError) {
            guard !options.wantsHelp else {
                for line in GeneratorOptions.help.split(separator: "\n", omittingEmptySubsequences: false) {
                    tell(String(line))
                }
                return 0
            }
            if let recording = options.learn {
                for line in try LearnCommand(options: options, recording: recording).run() { tell(line) }
                return 0
            }
            if let file = options.singleFile {
                return try SingleFile(options: options).write(to: file, tell, error)
            }
            let folder = OutputFolder(
                url: URL(fileURLWithPath: options.output, isDirectory: true), module: options.module)
            let generation = try Generation.make(
                options, given: try folder.manifest()?.names ?? GivenNames())
            let status =
                options.isCheck
                ? try check(generation, folder, tell) : try generate(generation, folder, options, tell)
            for problem in generation.errors { error("error: \(problem)") }
            return generation.errors.isEmpty ? status : 3
        } catch let problem {
            error("error: \(problem)")
            return 2
        }
    }

    private static func generate(
        _ generation: Generation, _ folder: OutputFolder, _ options: GeneratorOptions, _ out: (String) -> Void
    ) throws(GeneratorError) -> Int32 {
        let isFirst = try folder.manifest() == nil
        let outcome = try folder.write(generation)
        for path in outcome.edited {
            out(
                "edited: \(path) was changed by hand; it is kept as \(OutputFolder.copyName(path)). Put the change in a subclass or an extension, in a file of your own."
            )
        }
        out(
            "\(generation.operationCount) managers and \(generation.modelCount) models in \(options.output)/\(options.module): "
                + "\(outcome.written.count) files written, \(outcome.unchanged) as they were, \(outcome.removed.count) removed."
        )
        for path in outcome.stale { out("stale: \(path) is yours, and nothing needs it any more.") }
        report(generation, out)
        if isFirst, options.package == nil {
            out("")
            out("Add these targets to your Package.swift, with the framework among its dependencies:")
            let hasContracts = generation.files.contains { $0.path.hasPrefix("\(options.module)Contracts/") }
            for line in PackageFile.targets(ModuleLayout(options), hasContracts: hasContracts) {
                out("    " + line.replacingOccurrences(of: "path: \"", with: "path: \"\(options.output)/"))
            }
        }
        return 0
    }

    private static func report(_ generation: Generation, _ out: (String) -> Void) {
        guard !generation.notes.isEmpty else { return }
        out("")
        out("Notes about the description:")
        for line in Note.lines(generation.notes) { out("    " + line) }
    }

    private static func check(
        _ generation: Generation, _ folder: OutputFolder, _ out: (String) -> Void
    ) throws(GeneratorError) -> Int32 {
        guard let old = try folder.manifest() else {
            throw GeneratorError(
                "Nothing was generated in \(folder.url.path) yet; run without --check first.")
        }
        let changes = old.surface.changes(to: generation.manifest.surface)
        for change in changes { out(change.line) }
        for path in try folder.edited(before: generation) {
            out(
                "edited: \(path) was changed by hand; the next run writes it again, and keeps the change as \(OutputFolder.copyName(path))."
            )
        }
        let breaking = changes.filter(\.breaks).count
        let stale = generation.files.filter { file in
            guard !file.isWrittenOnce else { return false }
            return (try? Data(contentsOf: folder.url.appendingPathComponent(file.path)))
                != Data(file.text.utf8)
        }
        out(
            changes.isEmpty && stale.isEmpty
                ? "Nothing has changed."
                : "\(changes.count) changes, \(breaking) of them breaking; \(stale.count) files would be rewritten."
        )
        return breaking > 0 ? 1 : 0
    }
}
