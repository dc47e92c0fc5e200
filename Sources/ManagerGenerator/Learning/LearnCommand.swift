import DiscreteNetworkingJSON
import Foundation

/// `generate-managers DESCRIPTION --learn RECORDING --overlay FILE`: adds to an overlay what recorded responses say against
/// the description.
struct LearnCommand {
    let options: GeneratorOptions
    let recording: String
    var loader = DocumentLoader()

    /// - Returns: The lines for the user.
    func run() throws(GeneratorError) -> [String] {
        guard let path = options.overlays.last else {
            throw GeneratorError("--learn needs --overlay FILE, the file to which the corrections are added.")
        }
        let file = URL(fileURLWithPath: path)
        let old = try existing(at: file)
        let overlays = options.overlays.dropLast() + (old == nil ? [] : [path])
        let (document, _, _) = try Description.corrected(
            options, by: Array(overlays), loader: loader)
        let url = DocumentLoader.url(of: options.input)
        var loader = loader
        loader.saved = try SavedDocuments(options.savedDocuments)
        let calls = try calls(of: Description(document, at: url, loader: loader))
        let learned = try LearnedOverlay(
            calls, document: document,
            selection: try Selection(options.include, excluding: options.exclude)
        ) { [loader] value throws(GeneratorError) in try Description(value, at: url, loader: loader) }
        let count = learned.actions.count
        if count > 0 { try write(learned.actions, after: old, to: file) }
        return [
            "\(count) corrections from \(learned.responseCount) responses of \(learned.endpointCount) operations"
                + (count > 0
                    ? " in \(path). Read them before you commit them."
                    : ": the server sends what is described.")
        ] + learned.notes.map { "    " + $0 }
    }

    /// The recorded calls, or those to a server.
    private func calls(of description: Description) throws(GeneratorError) -> [RecordedCall] {
        let source = DocumentLoader.url(of: recording)
        guard source.isFileURL else {
            let index = try OperationIndex(
                description, Selection(options.include, excluding: options.exclude))
            return try LiveRecorder(base: source, headers: options.headers).record(index)
                .compactMap(RecordedCall.init)
        }
        let traffic = try loader.document(at: source).value
        guard let calls = RecordedCall.all(in: traffic), !calls.isEmpty else {
            throw GeneratorError(
                "\(VisibleText.url(recording)) is not a HAR file or cassette, or none of its calls has a response; record it again."
            )
        }
        return calls
    }

    /// The overlay to which the corrections are added; `nil` if there is none yet.
    private func existing(at file: URL) throws(GeneratorError) -> [String: JSONValue]? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let data = try? Data(contentsOf: file), let value = try? JSONValue(parsing: data) else {
            throw GeneratorError(
                "\(file.lastPathComponent) is not JSON, and would lose its comments. Give the learned corrections a file of their own, such as --overlay learned.json after the first one."
            )
        }
        return value.object
    }

    private func write(
        _ actions: [JSONValue], after old: [String: JSONValue]?, to file: URL
    ) throws(GeneratorError) {
        var overlay =
            old ?? [
                "overlay": "1.0.0",
                "info": ["title": "What the server really sends", "version": "1"],
            ]
        overlay["actions"] = .array((overlay["actions"]?.array ?? []) + actions)
        do {
            try Data((PrettyJSON.text(.object(overlay)) + "\n").utf8).write(to: file, options: .atomic)
        } catch {
            throw GeneratorError("\(file.path) cannot be written: \(error.localizedDescription)")
        }
    }
}
