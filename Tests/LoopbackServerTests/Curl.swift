import Foundation
import XCTest

/// What one run of the `curl` command gave.
struct CurlResult {
    let exitCode: Int32
    let output: Data
    let log: String

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs `curl`, a client that owes nothing to this package.
enum Curl {
    static func run(_ arguments: [String], input: Data? = nil) throws -> CurlResult {
        #if os(macOS) || os(Linux)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["curl", "-q", "-sS", "--noproxy", "*"] + arguments
            // Files, not pipes: nothing can fill up and nobody has to read along.
            let paths = ["in", "out", "err"].map { folder.appendingPathComponent($0) }
            for path in paths { try (path == paths[0] ? input ?? Data() : Data()).write(to: path) }
            let input = try FileHandle(forReadingFrom: paths[0])
            let output = try FileHandle(forWritingTo: paths[1])
            let error = try FileHandle(forWritingTo: paths[2])
            defer { for handle in [input, output, error] { try? handle.close() } }
            process.standardInput = input
            process.standardOutput = output
            process.standardError = error
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus != 127 else { throw XCTSkip("curl is missing") }
            return CurlResult(
                exitCode: process.terminationStatus,
                output: try Data(contentsOf: paths[1]),
                log: String(decoding: try Data(contentsOf: paths[2]), as: UTF8.self))
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }

    static func run(_ arguments: String..., input: Data? = nil) throws -> CurlResult {
        try run(arguments, input: input)
    }
}
