import DiscreteNetworkingCore
import Foundation
import LoopbackServer

/// A file that the page opens in place of the calls of an app.
struct ServedFile: Sendable {
    private let name: String
    private let text: Data

    /// - Parameter url: A file. A file of a ``TrafficFile`` opens all files of its start. Their folder opens the latest
    ///   start.
    init(_ url: URL) throws {
        let isFolder = try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
        let folder = isFolder ? url : url.deletingLastPathComponent()
        let name = isFolder ? try Self.latest(in: url) : url.lastPathComponent
        var names = [name]
        if TrafficFileName.isName(name) {
            let start = TrafficFileName.start(of: name)
            names = try Self.names(in: folder).filter { $0.hasPrefix(start) }
        }
        self.name = name
        text = Data(
            try names.map { try Data(contentsOf: folder.appendingPathComponent($0)) }.joined())
        guard Self.hasCalls(text) else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
        }
    }

    /// Returns whether a text is an archive, or begins with a line that is one.
    private static func hasCalls(_ text: Data) -> Bool {
        let line = text.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first ?? Data()
        return [line, text].contains { data in
            (try? JSONValue(parsing: Data(data)))?["log"]?["entries"]?.array != nil
        }
    }

    /// Returns the names of the files that a ``TrafficFile`` has written, the oldest first.
    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter(TrafficFileName.isName)
            .sorted()
    }

    private static func latest(in folder: URL) throws -> String {
        guard let name = try names(in: folder).last else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: folder.path])
        }
        return name
    }

    var response: LoopbackResponse {
        // RFC 6266, section 4.1, and RFC 8187.
        let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return .data(text, type: "application/octet-stream")
            .adding("Content-Disposition", "inline; filename*=UTF-8''\(escaped)")
    }
}
