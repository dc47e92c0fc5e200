#if os(Linux)
    import Foundation
    import XCTest

    /// Every Swift snippet of the README compiles, without a warning, as it stands there and under the settings that
    /// projects have: the first one as a program, the others together as one file.
    final class ReadmeTests: XCTestCase {
        /// The settings of Xcode 26's app template beside the language mode.
        private static let template =
            ["-default-isolation", "MainActor"]
            + upcoming(
                "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "MemberImportVisibility")

        private static func upcoming(_ features: String...) -> [String] {
            features.flatMap { ["-enable-upcoming-feature", $0] }
        }

        func testEverySnippetCompiles() throws { try compileAll(["-swift-version", "6"]) }

        func testUnderTheSettingsOfANewProject() throws {
            try compileAll(["-swift-version", "6"] + Self.template)
        }

        func testUnderTheSettingsOfANewProjectInSwift5Mode() throws {
            try compileAll(
                ["-swift-version", "5"] + Self.template
                    + Self.upcoming(
                        "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
                        "InferSendableFromCaptures"))
        }

        func testInSwift5Mode() throws {
            for checking in ["minimal", "targeted", "complete"] {
                try compileAll(["-swift-version", "5", "-strict-concurrency=\(checking)"])
            }
        }

        func testWithInternalImports() throws {
            try compileAll(
                ["-swift-version", "6"] + Self.upcoming("InternalImportsByDefault", "ExistentialAny"))
        }

        private func compileAll(_ settings: [String]) throws {
            let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
            let readme = try String(contentsOfFile: root + "/README.md", encoding: .utf8)
            let snippets = readme.components(separatedBy: "\n```swift\n").dropFirst().compactMap {
                $0.components(separatedBy: "\n```").first
            }
            XCTAssertGreaterThan(snippets.count, 5)
            try compile(snippets[0], as: "main.swift", settings)
            // XCTestCase's initializers are nonisolated, so that test targets have no default isolation.
            let hasTests = !settings.contains("-default-isolation")
            // What needs SwiftUI is compiled by Tests/AppleInterfaces/check.
            let others = snippets.dropFirst().filter {
                (hasTests || !$0.contains("XCTestCase")) && !$0.contains("import SwiftUI")
            }
            let imports = ["DiscreteNetworking", "DiscreteNetworkingTesting", "Foundation", "XCTest"].map {
                "import \($0)\n"
            }
            let source = imports.joined() + others.joined(separator: "\n\n")
            try compile(source, as: "Snippets.swift", settings)
        }

        /// A whole compilation, not a type check: that would leave out the checks of concurrency.
        private func compile(_ source: String, as name: String, _ settings: [String]) throws {
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
                ["swiftc"] + settings + [
                    "-warnings-as-errors", "-I", products.path + "/Modules",
                    "-emit-object", "-o", folder.appendingPathComponent("out.o").path, file.path,
                ] + (name == "main.swift" ? [] : ["-parse-as-library"]) + maps
            let output = Pipe()
            compiler.standardError = output
            compiler.standardOutput = output
            try compiler.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            compiler.waitUntilExit()
            XCTAssertEqual(compiler.terminationStatus, 0, "\(settings): \(text)")
        }
    }
#endif
