#if os(Linux)
    import Foundation
    import XCTest

    /// The tutorial's files compile after each of its sections, its manifest and that of the articles too.
    final class TutorialTests: XCTestCase {
        private static var files: [URL] {
            get throws {
                try Snippets.files(in: Snippets.catalog.appendingPathComponent("Tutorials/Code"), ".swift")
            }
        }

        func testEachSectionCompiles() throws {
            let compilations = try Self.sections.value()
            for compilation in compilations { compilation.check() }
            XCTAssertGreaterThan(compilations.count, 1)
        }

        /// What the compiler says of the files after each section.
        static let sections = Ahead {
            var program: [String: String] = [:]
            var programs: [[String: String]] = []
            for (section, files) in Dictionary(grouping: try files, by: { $0.lastPathComponent.prefix(2) })
                .sorted(by: { $0.key < $1.key }) where section > "01"
            {
                for file in files.sorted(by: { $0.path < $1.path }) {
                    // Here it is one module.
                    let text = try Snippets.text(file).replacingOccurrences(
                        of: "\n@testable import Shop\n", with: "")
                    program[file.lastPathComponent.components(separatedBy: "-").last ?? ""] = text
                }
                if program["Shop.swift"] != nil { programs.append(program) }
            }
            guard program.count > 8 else { throw Snippets.Missing(text: "\(program.keys.sorted())") }
            return try Snippets.compilations(
                of: programs.map { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } },
                ["-swift-version", "6"])
        }

        func testManifestsOfArticlesAndTutorialCompile() throws {
            let articles = try Snippets.pages().flatMap {
                Snippets.snippets(of: try Snippets.text($0))
            }
            let manifests =
                try articles.filter { $0.contains("import PackageDescription") }
                + Self.files.filter { $0.path.hasSuffix("Package.swift") }.map(Snippets.text)
            XCTAssertEqual(manifests.count, 2)
            let compiler = URL(fileURLWithPath: try XCTUnwrap(Snippets.path(of: "swiftc")))
                .resolvingSymlinksInPath().deletingLastPathComponent()
            let library = compiler.appendingPathComponent("../lib/swift/pm/ManifestAPI").path
            for manifest in manifests {
                try Snippets.compile(
                    [("main.swift", manifest)],
                    ["-swift-version", "6", "-package-description-version", "6.2", "-I", library])
            }
        }

        /// Each file is shown, and what is shown is there.
        func testEveryFileIsShown() throws {
            let tutorial = try Snippets.text(
                Snippets.catalog.appendingPathComponent("Tutorials/TestedShop.tutorial"))
            let shown = tutorial.components(separatedBy: " file: \"").dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
            XCTAssertEqual(Set(shown), Set(try Self.files.map(\.lastPathComponent)))
        }
    }
#endif
