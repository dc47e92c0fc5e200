import DiscreteNetworkingCommands
import DiscreteNetworkingJSON
import Foundation

/// The options of a package, in a file beside its manifest, so that everybody generates the same.
struct ConfigurationFile {
    /// The names that are looked for in the working directory.
    static let names = ["generate-managers.json", "generate-managers.yaml", "generate-managers.yml"]

    let values: [OptionName: [String]]

    /// - Parameters:
    ///   - path: the path from the command line; `nil` takes the file in the folder, if there is one.
    ///   - folder: the working directory.
    init?(_ path: String?, in folder: URL) throws(GeneratorError) {
        if let path {
            let url = URL(fileURLWithPath: Self.path(path, in: folder))
            try self.init(at: url, relativeTo: url.deletingLastPathComponent())
            return
        }
        let found = Self.names.filter {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
        }
        guard let name = found.first else { return nil }
        guard found.count == 1 else {
            throw GeneratorError(
                "There are \(found.joined(separator: " and ")). Remove all but one, or choose one with --config."
            )
        }
        try self.init(at: folder.appendingPathComponent(name), relativeTo: nil)
    }

    /// - Parameter base: the folder of relative paths; `nil` if it is the working directory.
    private init(at url: URL, relativeTo base: URL?) throws(GeneratorError) {
        let name = url.lastPathComponent
        let document = try DocumentLoader().document(at: url).value
        guard let members = document.object else {
            throw GeneratorError("\(name) has to be an object, not \(document.kindText).")
        }
        var values: [OptionName: [String]] = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let option = OptionName(rawValue: key) else {
                let known = OptionName.allCases.map(\.rawValue)
                throw GeneratorError(
                    "\(name) has the unknown key \(key).\(NearName.hint(key, among: known)) The keys are \(known.joined(separator: ", "))."
                )
            }
            values[option] = try Self.texts(of: value, option, name)
        }
        if let base {
            for option in [OptionName.input, .output, .overlay] {
                values[option] = values[option]?.map { Self.path($0, in: base) }
            }
            values[.mapUrl] = try OptionName.mapUrl.pairs(values[.mapUrl] ?? []).map {
                "\($0.name)=\(Self.path($0.value, in: base))"
            }
        }
        self.values = values
    }

    private static func texts(
        of value: JSONValue, _ option: OptionName, _ name: String
    ) throws(GeneratorError) -> [String] {
        if let text = value.string, !text.isEmpty { return [text] }
        if option.isPairs, let members = value.object {
            let pairs = members.sorted { $0.key < $1.key }.compactMap { name, value in
                value.string.map { "\(name)=\($0)" }
            }
            guard pairs.count == members.count else {
                throw GeneratorError("\(option.rawValue) in \(name) has a member that is no text.")
            }
            return pairs
        }
        guard option.isList, let elements = value.array else {
            let wanted = option.isPairs ? "an object of texts" : option.isList ? "a list of texts" : "a text"
            let found = value.string == nil ? value.kindText : "an empty one"
            throw GeneratorError("\(option.rawValue) in \(name) has to be \(wanted), not \(found).")
        }
        let texts = elements.compactMap(\.string).filter { !$0.isEmpty }
        guard texts.count == elements.count else {
            throw GeneratorError("\(option.rawValue) in \(name) has an element that is no text.")
        }
        return texts
    }

    /// A path as seen from a folder; a URL and an absolute path as they are.
    private static func path(_ path: String, in base: URL) -> String {
        let isURL = ["http:", "https:", "file:"].contains(where: path.lowercased().hasPrefix)
        guard !isURL, !path.hasPrefix("/") else { return path }
        return base.appendingPathComponent(path).standardizedFileURL.path
    }
}
