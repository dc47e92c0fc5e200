#if os(macOS) || os(Linux)
    import DiscreteNetworkingJSON
    import Foundation
    import XCTest

    /// A program in Python that judges what the generator does.
    enum PythonScript {
        /// Runs a script that imports a module of PyPI, and returns what it prints. Its first argument is the path of its input.
        /// - Throws: `XCTSkip` if it fails, as without the module. The test fails as well where all tools have to be there.
        static func output(of script: String, needing module: String, on input: JSONValue) throws -> Data {
            let folder = try TemporaryFolder()
            let file = try folder.write(input.canonicalText, to: "input.json")
            let output = folder.url.appendingPathComponent("output")
            try Data().write(to: output)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, file]
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus == 0 { return try Data(contentsOf: output) }
            if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil { XCTFail("no \(module)") }
            throw XCTSkip("\(module) of PyPI is not installed.")
        }
    }
#endif
