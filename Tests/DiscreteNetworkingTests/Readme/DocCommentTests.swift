#if os(Linux)
    import Foundation
    import XCTest

    /// The examples of doc comments compile in Swift 6 mode, without a warning, as they stand there, together with
    /// DocCommentContext.swift.
    final class DocCommentTests: XCTestCase {
        /// What no program on Linux can have, and the framework that has it. Files for other platforms are left out as well.
        private static let elsewhere = [
            "Text(": "SwiftUI", "viewDidDisappear": "UIKit", "UIApplication": "UIKit", "AES.GCM": "CryptoKit",
        ]

        /// What compilers say takes seconds. While the tests between these classes run, a core is idle.
        override class func setUp() {
            super.setUp()
            let works: [(suite: XCTestCase.Type, test: String, work: @Sendable () -> Void)] = [
                (
                    GettingStartedTests.self, "testManifestResolvesByBranchAndByVersion",
                    GettingStartedTests.resolutions.finish
                ),
                (ReadmeTests.self, "testEverySnippetCompiles", ReadmeTests.compiled.finish),
                (RoomsTests.self, "testALargeCycleIsFound", RoomsTests.checks.finish),
                (TutorialTests.self, "testEachSectionCompiles", TutorialTests.sections.finish),
            ]
            IdleCore.begin(works.filter { TestSelection.contains($0.test, of: $0.suite) }.map(\.work))
        }

        func testEveryExampleOfADocCommentCompiles() throws {
            try FullLength.require()
            let examples = try examples()
            let compiled = examples.filter(isCompiled)
            // 16 are left out.
            XCTAssertGreaterThan(compiled.count, 220)
            XCTAssertLessThan(examples.count - compiled.count, 20)
            XCTAssertEqual(try faults(of: compiled), [])
        }

        func testAFaultIsReportedAtItsLineInTheDocComment() throws {
            let comments = """
                /// ```swift
                /// func extraHeaders(for call: APICall) -> HTTPFields { [:] }
                /// ```
                public struct Returned {}
                /// Text.
                /// ```swift
                /// // A comment.
                /// let name: String = 7
                /// ```
                """
            let planted = DocCommentExample.all(in: comments, of: "Planted.swift")
            XCTAssertEqual(planted.count, 2)
            let faults = try faults(of: planted)
            XCTAssertEqual(faults.count, 2, "\(faults)")
            for line in [2, 8] {
                let place = "/Planted.swift:\(line):"
                XCTAssertTrue(faults.contains { $0.contains(place) }, "\(faults)")
            }
        }

        // MARK: Examples

        /// The examples of the libraries.
        private func examples() throws -> [DocCommentExample] {
            let sources = Snippets.root.appendingPathComponent("Sources")
            let libraries = ["DiscreteNetworking", "LoopbackServer"]
            var examples: [DocCommentExample] = []
            var fences = 0
            for file in try Snippets.files(in: sources, ".swift") {
                let path = String(file.path.dropFirst(Snippets.root.path.count + 1))
                guard libraries.contains(where: path.dropFirst("Sources/".count).hasPrefix) else { continue }
                let text = try Snippets.text(file)
                fences += text.components(separatedBy: "/// ```swift").count - 1
                examples += DocCommentExample.all(in: text, of: path)
            }
            XCTAssertEqual(examples.count, fences, "an example has no end")
            return examples
        }

        private func isCompiled(_ example: DocCommentExample) -> Bool {
            // Apps do not see these declarations, so that their examples cannot use them.
            let isInternal = ["package ", "protocol "].contains(where: example.declaration.hasPrefix)
            // A whole file for other platforms; XCTest is also on Linux.
            let isElsewhere =
                example.head.hasPrefix("#if canImport(") && example.head != "#if canImport(XCTest)"
                || Self.elsewhere.keys.contains(where: example.text.contains)
            return !isInternal && !isElsewhere
        }

        // MARK: Compiler

        /// The errors and warnings, but those about values that an example shows and does not use.
        private func faults(of examples: [DocCommentExample]) throws -> [String] {
            let readme = Snippets.root.appendingPathComponent("Tests/DiscreteNetworkingTests/Readme")
            let context = try Snippets.text(readme.appendingPathComponent("DocCommentContext.swift"))
            let imports = context.components(separatedBy: "\n").filter { $0.hasPrefix("    import ") }
            let members = try serviceMembers()
            let sources = examples.enumerated().map { $1.source($0, serviceMembers: members) }
            let (status, text) = try Snippets.compilation(
                of: [
                    ("Context.swift", context),
                    ("Examples.swift", (imports + sources).joined(separator: "\n")),
                ], ["-swift-version", "6", "-D", "DOC_COMMENTS", "-D", "DEBUG"], warningsAreErrors: false)
            let faults = text.components(separatedBy: "\n").filter { line in
                line.contains(": error: ") || line.contains(": warning: ") && !line.contains("[#no-usage]")
            }
            return status == 0 || !faults.isEmpty ? faults : [text]
        }

        /// The functions that an example may show without the service around them.
        private func serviceMembers() throws -> Set<String> {
            let source = try Snippets.text("Sources/DiscreteNetworkingCore/Service/Service.swift")
            let names = source.components(separatedBy: "\n    func ").dropFirst().map {
                String($0.prefix { $0 != "(" })
            }
            XCTAssertGreaterThan(names.count, 15)
            return Set(names)
        }
    }
#endif
