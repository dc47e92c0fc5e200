#if os(Linux)
    import Foundation
    import XCTest

    /// Every Swift snippet of the README and of the articles compiles, without a warning, as it stands there and under
    /// the settings that projects have: the README's as a program, those of the articles together as one file.
    final class ReadmeTests: XCTestCase {
        /// The settings of Xcode 26's app template beside the language mode.
        private static let template =
            ["-default-isolation", "MainActor"]
            + upcoming(
                "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "MemberImportVisibility")

        private static func upcoming(_ features: String...) -> [String] {
            features.flatMap { ["-enable-upcoming-feature", $0] }
        }

        func testEverySnippetCompiles() throws { try check(Self.compiled.value()) }

        /// What the compiler says of all snippets in Swift 6 mode.
        static let compiled = Ahead { try compilations(["-swift-version", "6"]) }

        func testUnderTheSettingsOfANewProject() throws {
            try FullLength.require()
            try compileAll(["-swift-version", "6"] + Self.template)
        }

        func testUnderTheSettingsOfANewProjectInSwift5Mode() throws {
            try FullLength.require()
            try compileAll(
                ["-swift-version", "5"] + Self.template
                    + Self.upcoming(
                        "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
                        "InferSendableFromCaptures"))
        }

        func testInSwift5Mode() throws {
            try FullLength.require()
            for checking in ["minimal", "targeted", "complete"] {
                try compileAll(["-swift-version", "5", "-strict-concurrency=\(checking)"])
            }
        }

        func testWithInternalImports() throws {
            try FullLength.require()
            try compileAll(
                ["-swift-version", "6"] + Self.upcoming("InternalImportsByDefault", "ExistentialAny"))
        }

        private func compileAll(_ settings: [String]) throws { try check(Self.compilations(settings)) }

        private func check(_ compilations: [Snippets.Compilation]) throws {
            XCTAssertEqual(compilations.count, 2)
            for compilation in compilations { compilation.check() }
        }

        private static func compilations(_ settings: [String]) throws -> [Snippets.Compilation] {
            // XCTestCase's initializers are nonisolated, so that test targets have no default isolation.
            let hasTests = !settings.contains("-default-isolation")
            let importsAreInternal = settings.contains("InternalImportsByDefault")
            // What needs SwiftUI, UIKit, Objective-C or Apple's URLSession is compiled by
            // Tests/AppleInterfaces/check, a manifest by TutorialTests.
            func compilable(_ snippets: some Sequence<String>) -> String {
                Snippets.imports
                    + snippets.filter {
                        (hasTests || !$0.contains("XCTestCase")) && !$0.contains("import SwiftUI")
                            && !$0.contains("import UIKit") && !$0.contains("@objc")
                            && !$0.contains("URLSessionConfiguration")
                            && !$0.contains("import PackageDescription")
                            // What generate-managers writes does not compile with internal imports, and what adds to it
                            // neither.
                            && !(importsAreInternal
                                && ($0.contains("\nopen class ") || $0.contains(": PoemManager {")))
                            // Adapters to packages that are not here.
                            && !$0.contains("import Tracing") && !$0.contains("import Logging")
                    }.joined(separator: "\n\n")
            }
            // The line of a manifest is in that of the article; see GettingStartedTests.
            let readme = Snippets.snippets(of: try Snippets.text("README.md"))
                .filter { !$0.hasPrefix(".package(") }
            let articles = try Snippets.pages().flatMap {
                Snippets.snippets(of: try Snippets.text($0))
            }
            guard articles.count > 20, let program = readme.first else {
                throw Snippets.Missing(
                    text: "\(articles.count) snippets in articles, \(readme.count) in the README")
            }
            return try Snippets.compilations(
                of: [
                    [("main.swift", program), ("Readme.swift", compilable(readme.dropFirst()))],
                    [("Articles.swift", compilable(articles))],
                ], settings)
        }
    }
#endif
