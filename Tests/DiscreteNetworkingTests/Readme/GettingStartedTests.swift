#if os(Linux)
    import Foundation
    import XCTest

    /// The manifest of the article Getting started finds this package, before its first tag and after it.
    final class GettingStartedTests: XCTestCase {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "GettingStarted-\(UUID().uuidString)")

        override func tearDown() { try? FileManager.default.removeItem(at: folder) }

        func testManifestResolvesByBranchAndByVersion() throws {
            let text = try manifest()
            /// The manifest with a clone of this repository.
            func manifestOfClone(_ name: String, tag: String? = nil) throws -> String {
                let origin = folder.appendingPathComponent(name + "/DiscreteNetworking.git")
                try FileManager.default.createDirectory(
                    at: origin.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Tool.run("git", ["clone", "--quiet", "--bare", Snippets.root.path, origin.path])
                try Tool.run("git", ["branch", "--force", "main", "HEAD"], in: origin)
                if let tag { try Tool.run("git", ["tag", tag, "main"], in: origin) }
                let address = "https://example.com/DiscreteNetworking.git"
                let found = text.replacingOccurrences(of: address, with: origin.absoluteString)
                XCTAssertNotEqual(found, text)
                return found
            }
            let version = try XCTUnwrap(requirement())
            let byBranch = try manifestOfClone("untagged")
            let tagged = try manifestOfClone("tagged", tag: version)
            let byVersion = tagged.replacingOccurrences(
                of: "branch: \"main\"", with: "from: \"\(version)\"")
            XCTAssertNotEqual(byVersion, tagged)
            // At once, because SwiftPM takes seconds.
            let cases = [(byBranch, "unspecified"), (byVersion, version)]
            DispatchQueue.concurrentPerform(iterations: cases.count) { [folder] index in
                let (manifest, version) = cases[index]
                do {
                    let found = try Self.resolution(of: manifest, in: folder)
                    XCTAssertTrue(found.contains("\"version\": \"\(version)\""), found)
                } catch {
                    XCTFail("\(error)")
                }
            }
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
        private static func resolution(of manifest: String, in folder: URL) throws -> String {
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
