import Foundation

/// Documents of other servers that the user has saved, by the URLs that they would have.
struct SavedDocuments: Sendable, Equatable {
    /// Folders by the beginnings of URLs.
    let folders: [NamePair]

    init() { folders = [] }

    /// - Throws: ``GeneratorError`` for what is no URL of a server, or no folder.
    init(_ pairs: [NamePair]) throws(GeneratorError) {
        folders = try pairs.map { pair throws(GeneratorError) in
            var isFolder: ObjCBool = false
            guard let url = URL(string: pair.name), ["http", "https"].contains(url.scheme), url.host != nil
            else {
                throw GeneratorError(
                    "--map-url \(pair.name)=\(pair.value): \(pair.name) is no URL of a server.")
            }
            guard FileManager.default.fileExists(atPath: pair.value, isDirectory: &isFolder),
                isFolder.boolValue
            else {
                throw GeneratorError(
                    "--map-url \(pair.name)=\(pair.value): there is no folder \(pair.value).")
            }
            return NamePair(name: pair.name.hasSuffix("/") ? pair.name : pair.name + "/", value: pair.value)
        }
    }

    /// Where the document of a URL is saved; `nil` if its URL begins with none of these. The longest beginning counts.
    func file(of url: URL) -> URL? {
        let text = url.absoluteString
        let fitting = folders.filter { text.hasPrefix($0.name) }
        guard !url.isFileURL, let pair = fitting.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
            return nil
        }
        let rest = text.dropFirst(pair.name.count).prefix { $0 != "?" && $0 != "#" }
        let folder = URL(fileURLWithPath: pair.value, isDirectory: true)
        // `%2E%2E%2F` leads up as `../` does.
        guard let path = String(rest).removingPercentEncoding, !path.utf8.contains(0),
            !path.split(separator: "/").contains("..")
        else { return nil }
        return folder.appendingPathComponent(path)
    }
}
