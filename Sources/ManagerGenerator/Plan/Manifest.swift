import DiscreteNetworkingJSON
import Foundation

/// What was generated: kept beside it, so that the next run knows its own files and what has changed.
struct Manifest: Sendable {
    let source: String
    let title: String
    let version: String
    let files: [String]
    let onceFiles: [String]
    /// Digests of the generated files by their paths, by which a hand edit is seen.
    let digests: [String: String]
    let names: GivenNames
    let surface: Surface

    static func name(_ module: String) -> String { "\(module).generated.json" }

    var text: String {
        PrettyJSON.text(
            .object([
                "format": 1, "source": .string(source), "title": .string(title), "version": .string(version),
                "files": .array(files.map(JSONValue.string)),
                "written once": .array(onceFiles.map(JSONValue.string)),
                "digests": .object(digests.mapValues(JSONValue.string)),
                "names": .object(names.names.mapValues(JSONValue.string)),
                "surface": surface.json,
            ])) + "\n"
    }

    init(
        source: String, title: String, version: String, files: [String], onceFiles: [String],
        digests: [String: String], names: GivenNames, surface: Surface
    ) {
        self.source = source
        self.title = title
        self.version = version
        self.files = files
        self.onceFiles = onceFiles
        self.digests = digests
        self.names = names
        self.surface = surface
    }

    /// A digest of a file (FNV-1a, 64 bits): it finds edits, and proves nothing.
    static func digest(_ bytes: some Sequence<UInt8>) -> String {
        String(
            bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
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
            throw GeneratorError(
                "generate-managers did not write \(name), or it was changed; remove the file and generate again."
            )
        }
        self.init(
            source: json["source"]?.string ?? "", title: json["title"]?.string ?? "",
            version: json["version"]?.string ?? "", files: json["files"]?.array?.compactMap(\.string) ?? [],
            onceFiles: json["written once"]?.array?.compactMap(\.string) ?? [],
            digests: (json["digests"]?.object ?? [:]).compactMapValues(\.string),
            names: GivenNames((json["names"]?.object ?? [:]).compactMapValues(\.string)),
            surface: Surface(json["surface"] ?? .null))
    }
}
