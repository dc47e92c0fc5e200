import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A folder for the length of one test.
struct TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("transfers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func write(_ name: String, _ data: Data) throws -> URL {
        try data.write(to: file(name))
        return file(name)
    }

    /// The names of what is in it.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}

extension XCTestCase {
    func temporaryFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        addTeardownBlock { folder.remove() }
        return folder
    }
}

extension RequestBody {
    /// All bytes, as a transport would read them.
    func read() async throws -> Data {
        var data = Data()
        for try await piece in pieces { data += piece }
        return data
    }
}
