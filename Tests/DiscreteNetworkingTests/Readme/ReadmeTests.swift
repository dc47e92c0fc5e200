#if os(Linux)
    import Foundation
    import XCTest

    /// Every Swift snippet of the README compiles, without a warning, as it stands there: the first one as a
    /// program, the others together as one file.
    final class ReadmeTests: XCTestCase {
        func testEverySnippetCompiles() throws {
            let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
            let readme = try String(contentsOfFile: root + "/README.md", encoding: .utf8)
            let snippets = readme.components(separatedBy: "\n```swift\n").dropFirst().compactMap {
                $0.components(separatedBy: "\n```").first
            }
            XCTAssertGreaterThan(snippets.count, 5)
            try compile(snippets[0], as: "main.swift")
            let imports = "import DiscreteNetworking\nimport Foundation\n"
            try compile(imports + snippets.dropFirst().joined(separator: "\n\n"), as: "Snippets.swift")
        }

        /// A whole compilation, not a type check: that would leave out the checks of concurrency.
        private func compile(_ source: String, as name: String) throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent(name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            let maps = ["CCurl", "CCodings", "CPoll"].flatMap {
                ["-Xcc", "-fmodule-map-file=\(products.path)/\($0).build/module.modulemap"]
            }
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments =
                [
                    "swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", products.path + "/Modules",
                    "-emit-object", "-o", folder.appendingPathComponent("out.o").path, file.path,
                ] + (name == "main.swift" ? [] : ["-parse-as-library"]) + maps
            let output = Pipe()
            compiler.standardError = output
            compiler.standardOutput = output
            try compiler.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            compiler.waitUntilExit()
            XCTAssertEqual(compiler.terminationStatus, 0, text)
        }
    }
#endif
