import DiscreteNetworkingJSON
import Foundation

/// What was generated: kept beside it, so that the next run knows its own files and what has changed.
struct Manifest: Sendable {
    let source: String
    let title: String
    let version: String
    let files: [String]
    let onceFiles: [String]
    let surface: Surface

    static func name(_ module: String) -> String { "\(module).generated.json" }

    var text: String {
        PrettyJSON.text(
            .object([
                "format": 1, "source": .string(source), "title": .string(title), "version": .string(version),
                "files": .array(files.map(JSONValue.string)),
                "written once": .array(onceFiles.map(JSONValue.string)),
                "surface": surface.json,
            ])) + "\n"
    }

    init(
        source: String, title: String, version: String, files: [String], onceFiles: [String], surface: Surface
    ) {
        self.source = source
        self.title = title
        self.version = version
        self.files = files
        self.onceFiles = onceFiles
        self.surface = surface
    }

    /// Whether all paths lead to files below the output folder: others are not removed.
    private static func isInside(_ paths: JSONValue?) -> Bool {
        (paths?.array ?? []).allSatisfy { path in
            let parts = path.string?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            return !parts.isEmpty && !parts.contains { ["", ".", ".."].contains($0) }
        }
    }

    /// - Throws: ``GeneratorError`` where the file is none of ours.
    init(parsing data: Data, name: String) throws(GeneratorError) {
        guard let json = try? JSONValue(parsing: data), json["format"]?.int == 1, json["surface"] != nil,
            ["files", "written once"].allSatisfy({ Self.isInside(json[$0]) })
        else {
            throw GeneratorError("\(name) is not what generate-managers wrote; remove it to generate anew.")
        }
        self.init(
            source: json["source"]?.string ?? "", title: json["title"]?.string ?? "",
            version: json["version"]?.string ?? "", files: json["files"]?.array?.compactMap(\.string) ?? [],
            onceFiles: json["written once"]?.array?.compactMap(\.string) ?? [],
            surface: Surface(json["surface"] ?? .null))
    }
}
