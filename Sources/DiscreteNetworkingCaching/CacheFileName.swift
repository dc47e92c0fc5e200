import Foundation

/// The file names of a disk cache. Only files with such names are ever removed.
///
///     <service>/<endpoint>/<entry>.response
///     <service>/<endpoint>/<entry>.<process>-<random>.new       while it is being written
enum CacheFileName: Equatable {
    /// A response, named by its key's entry.
    case response(entry: String)
    /// A file being written by a process, or left over by a process that was killed.
    case unfinished(process: pid_t)

    /// Parses a file name; returns `nil` if it is not the cache's.
    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let entry = parts.first, Self.isDigest(entry) else { return nil }
        if parts.count == 2, parts[1] == "response" {
            self = .response(entry: String(entry))
        } else if parts.count == 3, parts[2] == "new",
            let process = parts[1].split(separator: "-").first.flatMap({ pid_t($0) }), process > 0
        {
            self = .unfinished(process: process)
        } else {
            return nil
        }
    }

    static func response(_ key: CacheFileKey) -> String { key.entry + ".response" }

    /// Returns a unique name.
    static func unfinished(_ key: CacheFileKey) -> String {
        "\(key.entry).\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16)).new"
    }

    /// Whether this is the name of a service's or an endpoint's directory.
    static func isDigest(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }
}
