import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What tests of bodies out of files and streams share: a folder, and that no temporary file is left behind.
class URLSessionUploadCase: URLSessionCase {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "URLSessionUploadTests-\(UUID().uuidString)")

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    override func tearDownWithError() throws {
        XCTAssertEqual(try Self.temporaryFiles(), [], "a temporary file was left behind")
        try FileManager.default.removeItem(at: folder)
    }

    static func temporaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).filter {
            $0.hasPrefix("DiscreteNetworking-\(ProcessInfo.processInfo.processIdentifier)-")
        }
    }

    func file(_ data: Data, _ name: String = "body") throws -> URL {
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        return url
    }

    static func stream(
        _ pieces: [Data], length: Int64? = nil, throwing error: (any Error)? = nil
    ) -> RequestBody {
        .stream(length: length) {
            AsyncThrowingStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish(throwing: error)
            }
        }
    }
}
