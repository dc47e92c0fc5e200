import Foundation
import XCTest

/// A program of the system that a test needs.
enum Tool {
    /// Whether a missing tool is a failure, not a reason to skip: the environment has `CI_REQUIRE_TOOLS=1`.
    static var isRequired: Bool { ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] == "1" }

    /// Where a program is.
    /// - Throws: what ``missing(_:)`` makes.
    static func path(_ name: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(
            String.init)
        for folder in folders + ["/usr/sbin", "/usr/local/bin"] {
            let path = folder + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw missing("\(name) is not installed; .ci/run does that")
    }

    /// Why a test cannot go on: a skip, and a failure besides where tools are required.
    static func missing(_ reason: String, file: StaticString = #filePath, line: UInt = #line) -> XCTSkip {
        if isRequired { XCTFail(reason, file: file, line: line) }
        return XCTSkip(reason)
    }

    #if os(macOS) || os(Linux)
        /// Runs a program to its end.
        /// - Returns: what it printed.
        @discardableResult
        static func run(_ name: String, _ arguments: [String], in folder: URL? = nil) throws -> Data {
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: try path(name))
            process.arguments = arguments
            if let folder { process.currentDirectoryURL = folder }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.runWithAllSignals()
            // What the programs here say is little, so the pipes hold it until it is read.
            let data = output.fileHandleForReading.readDataToEndOfFile()
            let problem = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failed(log: String(decoding: problem, as: UTF8.self))
            }
            return data
        }
    #endif

    struct Failed: Error { let log: String }
}
