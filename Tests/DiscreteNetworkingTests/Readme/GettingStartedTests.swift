#if os(Linux)
    import Foundation
    import XCTest

    /// The manifest of the article Getting started finds this package, before its first tag and after it.
    final class GettingStartedTests: XCTestCase {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "GettingStarted-\(UUID().uuidString)")

        override func tearDown() { try? FileManager.default.removeItem(at: folder) }

        func testManifestResolvesByBranchAndByVersion() throws {
            let manifest = try manifest()
            let origin = folder.appendingPathComponent("DiscreteNetworking.git")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Tool.run("git", ["clone", "--quiet", "--bare", Snippets.root.path, origin.path])
            try Tool.run("git", ["branch", "--force", "main", "HEAD"], in: origin)
            let address = "https://example.com/DiscreteNetworking.git"
            let byBranch = manifest.replacingOccurrences(of: address, with: origin.absoluteString)
            XCTAssertNotEqual(byBranch, manifest)
            XCTAssertTrue(try resolution(of: byBranch).contains("\"version\": \"unspecified\""))

            let version = try XCTUnwrap(requirement())
            try Tool.run("git", ["tag", version, "main"], in: origin)
            let byVersion = byBranch.replacingOccurrences(
                of: "branch: \"main\"", with: "from: \"\(version)\"")
            XCTAssertNotEqual(byVersion, byBranch)
            XCTAssertTrue(try resolution(of: byVersion).contains("\"version\": \"\(version)\""))
        }

        func testTheReadmeHasTheSameDependency() throws {
            let lines = Snippets.snippets(of: try Snippets.text("README.md")).filter {
                $0.hasPrefix(".package(")
            }
            XCTAssertEqual(lines.count, 1)
            func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }
            XCTAssertTrue(words(try manifest()).contains(words(lines.joined())), "\(lines)")
        }

        private func article() throws -> String {
            try Snippets.text(Snippets.catalog.appendingPathComponent("Articles/GettingStarted.md"))
        }

        private func manifest() throws -> String {
            try XCTUnwrap(
                Snippets.snippets(of: article()).first { $0.contains("import PackageDescription") })
        }

        /// The version that the article says to depend on.
        private func requirement() throws -> String? {
            try article().components(separatedBy: "`from: \"").last?.components(separatedBy: "\"").first
        }

        /// What SwiftPM finds for a manifest: it resolves the dependencies and looks for their products.
        private func resolution(of manifest: String) throws -> String {
            let package = folder.appendingPathComponent(UUID().uuidString)
            for (path, text) in [
                "Package.swift": manifest, "Sources/Reader/Reader.swift": "",
                "Tests/ReaderTests/ReaderTests.swift": "",
            ] {
                let file = package.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            let output = try Tool.run(
                "swift",
                ["package", "--disable-dependency-cache", "show-dependencies", "--format", "json"],
                in: package)
            return String(decoding: output, as: UTF8.self)
        }
    }
#endif
