#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The manifest of the article Getting started finds this package, before its first tag and after it.
    final class GettingStartedTests: XCTestCase {
        func testManifestResolvesByBranchAndByVersion() throws {
            let resolutions = try Self.resolutions.value()
            XCTAssertEqual(resolutions.count, 2)
            for (found, version) in resolutions {
                XCTAssertTrue(found.contains("\"version\": \"\(version)\""), found)
            }
        }

        /// What SwiftPM finds for the manifest by branch and by version, and the version that is expected.
        static let resolutions = Ahead { try resolve() }

        private static func resolve() throws -> [(found: String, version: String)] {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "GettingStarted-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
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
                guard found != text else { throw Snippets.Missing(text: "\(address) in \(text)") }
                return found
            }
            guard let version = try requirement() else { throw Snippets.Missing(text: "the version") }
            let byBranch = try manifestOfClone("untagged")
            let tagged = try manifestOfClone("tagged", tag: version)
            let byVersion = tagged.replacingOccurrences(
                of: "branch: \"main\"", with: "from: \"\(version)\"")
            guard byVersion != tagged else { throw Snippets.Missing(text: "the branch in \(tagged)") }
            // At once, because SwiftPM takes seconds.
            let cases = [(byBranch, "unspecified"), (byVersion, version)]
            let results = Locked<[Int: Result<String, any Error>]>([:])
            DispatchQueue.concurrentPerform(iterations: cases.count) { index in
                let result = Result { try resolution(of: cases[index].0, in: folder) }
                results.withLock { $0[index] = result }
            }
            return try cases.indices.compactMap { index in
                try results.current[index].map { (try $0.get(), cases[index].1) }
            }
        }

        func testTheReadmeHasTheSameDependency() throws {
            let lines = Snippets.snippets(of: try Snippets.text("README.md")).filter {
                $0.hasPrefix(".package(")
            }
            XCTAssertEqual(lines.count, 1)
            func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }
            XCTAssertTrue(words(try Self.manifest()).contains(words(lines.joined())), "\(lines)")
        }

        private static func article() throws -> String {
            try Snippets.text(Snippets.catalog.appendingPathComponent("Articles/GettingStarted.md"))
        }

        private static func manifest() throws -> String {
            guard
                let manifest = Snippets.snippets(of: try article())
                    .first(where: { $0.contains("import PackageDescription") })
            else { throw Snippets.Missing(text: "the manifest") }
            return manifest
        }

        /// The version that the article says to depend on.
        private static func requirement() throws -> String? {
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
