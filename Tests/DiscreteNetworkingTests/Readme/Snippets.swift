#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The Swift snippets of this package's texts, and the compiler.
    enum Snippets {
        static let root = URL(
            fileURLWithPath: URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        )

        static let catalog = root.appendingPathComponent("Sources/DiscreteNetworking/DiscreteNetworking.docc")

        /// The pages of the catalog without the Chinese ones, whose snippets are the same; see `.ci/translations.py`.
        static func pages() throws -> [URL] {
            try files(in: catalog, ".md").filter { !$0.path.contains("/zh-CN/") }
        }

        static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

        static func text(_ name: String) throws -> String { try text(root.appendingPathComponent(name)) }

        /// The files below a folder, or so many levels below it, whose names end so, in order.
        static func files(in folder: URL, _ suffix: String, depth: Int = .max) throws -> [URL] {
            let names =
                depth == 1
                ? try FileManager.default.contentsOfDirectory(atPath: folder.path)
                : try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return names.sorted().filter { $0.hasSuffix(suffix) }.map(folder.appendingPathComponent)
        }

        /// What stands between three backticks with `swift` behind them.
        static func snippets(of text: String) -> [String] {
            text.components(separatedBy: "\n```swift\n").dropFirst().compactMap {
                $0.components(separatedBy: "\n```").first
            }
        }

        /// Where a program is.
        static func path(of program: String) -> String? {
            (ProcessInfo.processInfo.environment["PATH"] ?? "").components(separatedBy: ":")
                .map { "\($0)/\(program)" }.first(where: FileManager.default.isExecutableFile)
        }

        static let imports = ["DiscreteNetworking", "DiscreteNetworkingTesting", "Foundation", "XCTest"]
            .map { "import \($0)\n" }.joined()

        /// Snippets that are not where they are expected.
        struct Missing: Error {
            let text: String
        }

        /// What the compiler says of one program.
        struct Compilation: Sendable {
            let settings: [String]
            let status: Int32
            let text: String

            /// Fails the test that runs where there is an error or a warning.
            func check() { XCTAssertEqual(status, 0, "\(settings): \(text)") }
        }

        /// Compiles several programs at once, because a compiler has one thread.
        static func compilations(
            of programs: [[(name: String, text: String)]], _ settings: [String]
        ) throws -> [Compilation] {
            let results = Concurrently.map(programs) { program in
                let (status, text) = try compilation(of: program, settings)
                return Compilation(settings: settings, status: status, text: text)
            }
            return try results.map { try $0.get() }
        }

        static func compile(_ sources: [(name: String, text: String)], _ settings: [String]) throws {
            let (status, text) = try compilation(of: sources, settings)
            XCTAssertEqual(status, 0, "\(settings): \(text)")
        }

        /// The compiler's exit status, and what it says. A whole compilation, not a type check: that would leave out the checks
        /// of concurrency.
        static func compilation(
            of sources: [(name: String, text: String)], _ settings: [String], warningsAreErrors: Bool = true
        ) throws -> (status: Int32, text: String) {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let files = sources.map { folder.appendingPathComponent($0.name) }
            for (file, source) in zip(files, sources) {
                try source.text.write(to: file, atomically: true, encoding: .utf8)
            }
            let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            let maps = ["CCurl", "CCodings", "CPoll"].flatMap {
                ["-Xcc", "-fmodule-map-file=\(products.path)/\($0).build/module.modulemap"]
            }
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments =
                ["swiftc"] + settings + (warningsAreErrors ? ["-warnings-as-errors"] : []) + [
                    "-I", products.path + "/Modules", "-module-name", "Snippets",
                    "-wmo",
                    "-emit-object", "-o", folder.appendingPathComponent("out.o").path,
                ] + files.map(\.path)
                + (sources.contains { $0.name == "main.swift" } ? [] : ["-parse-as-library"])
                + maps
            let output = Pipe()
            compiler.standardError = output
            compiler.standardOutput = output
            try compiler.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            compiler.waitUntilExit()
            return (compiler.terminationStatus, text)
        }
    }
#endif
