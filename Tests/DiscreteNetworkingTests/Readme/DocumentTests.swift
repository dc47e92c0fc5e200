#if os(Linux)
    import Foundation
    import XCTest

    /// What the texts of the package say of each other, and of the source.
    final class DocumentTests: XCTestCase {
        private let languages = ["README.md", "README.zh-CN.md"]

        func testTheReadmesAreShort() throws {
            for name in languages {
                XCTAssertLessThanOrEqual(
                    try Snippets.text(name).components(separatedBy: "\n").count, 151, name)
            }
        }

        func testTheReadmesAreInStep() throws {
            let (english, chinese) = (try Snippets.text(languages[0]), try Snippets.text(languages[1]))
            for part in [Snippets.snippets, headings, sharedTargets, numbers, rows] {
                XCTAssertEqual(part(english), part(chinese))
            }
            XCTAssertGreaterThan(headings(english).count, 5)
        }

        /// A reader of either language sees the inspector in that language, by day and by night.
        func testTheReadmesShowTheInspectorInBothThemes() throws {
            for name in languages {
                let pictures = pictures(try Snippets.text(name))
                XCTAssertEqual(pictures.count, 2, name)
                XCTAssertEqual(pictures.filter { $0.contains("dark") }.count, 1, name)
                XCTAssertEqual(pictures.allSatisfy { $0.contains("-zh") }, name.contains("zh-CN"), name)
            }
        }

        /// Files and headings that links lead to are there.
        func testLinksLeadSomewhere() throws {
            let documents =
                try Snippets.files(in: Snippets.root, ".md", depth: 1)
                + Snippets.files(in: Snippets.root.appendingPathComponent("Sources"), ".md")
                + Snippets.files(in: Snippets.root.appendingPathComponent(".github"), ".md")
            for document in documents {
                for target in targets(try Snippets.text(document)) where !target.contains("://") {
                    let path = target.split(separator: "#", omittingEmptySubsequences: false)[0]
                    // docc checks those of the articles.
                    guard !path.isEmpty, !document.path.contains("/Articles/") else { continue }
                    let file = document.deletingLastPathComponent().appendingPathComponent(String(path))
                    XCTAssertTrue(
                        FileManager.default.fileExists(atPath: file.path), "\(document.path): \(target)")
                }
            }
        }

        /// Each article has a link in the README, but for those in folders: the site's search finds the short ones, and the
        /// others are parts of a subject.
        func testTheReadmesLinkToEveryArticle() throws {
            let articles = try Snippets.files(
                in: Snippets.catalog.appendingPathComponent("Articles"), ".md", depth: 1)
            XCTAssertGreaterThan(articles.count, 25)
            let targets = Set(targets(try Snippets.text(languages[0])))
            for article in articles {
                let path = article.path.dropFirst(Snippets.root.path.count + 1)
                XCTAssertTrue(targets.contains(String(path)), "no link to \(path)")
            }
        }

        /// An article in a folder is linked by the article that the folder is named after.
        func testArticlesOfASubjectAreLinkedByItsEntryPage() throws {
            let folder = Snippets.catalog.appendingPathComponent("Articles")
            var count = 0
            for article in try Snippets.files(in: folder, ".md") {
                let subject = article.deletingLastPathComponent().lastPathComponent
                guard !["Articles", "Questions", "zh-CN"].contains(subject) else { continue }
                count += 1
                let entry = try Snippets.text(folder.appendingPathComponent("\(subject).md"))
                let body = entry.components(separatedBy: "\n## Topics")[0]
                let name = article.deletingPathExtension().lastPathComponent
                XCTAssertTrue(body.contains("<doc:\(name)>"), "no link to \(name) in \(subject)")
            }
            XCTAssertGreaterThan(count, 5)
        }

        /// Whoever meets an error finds it among the others.
        func testEveryKindOfErrorIsInTroubleshooting() throws {
            let source = try Snippets.text("Sources/DiscreteNetworkingCore/Call/APIError.swift")
            let kinds = source.components(separatedBy: "public enum Kind")[1]
                .components(separatedBy: "\n    }")[0].components(separatedBy: "\n        case ").dropFirst()
                .map { $0.prefix { $0.isLetter } }
            XCTAssertGreaterThan(kinds.count, 15)
            let article = try Snippets.text(
                Snippets.catalog.appendingPathComponent("Articles/Troubleshooting.md"))
            for kind in kinds {
                XCTAssertTrue(article.contains("| ``APIError/Kind/\(kind)"), "\(kind) is not explained")
            }
        }

        /// The version has one place; what else names one names the same.
        func testTheVersionIsTheSameEverywhere() throws {
            let source = try Snippets.text(
                "Sources/DiscreteNetworkingHTTP/Messages/HTTPFields+Standard.swift")
            let version = try XCTUnwrap(
                source.components(separatedBy: "let frameworkVersion = \"").last?.prefix { $0 != "\"" })
            let changes = try Snippets.text("CHANGELOG.md")
            let releases = changes.components(separatedBy: "\n## [").dropFirst().map {
                String($0.prefix { $0 != "]" })
            }
            XCTAssertEqual(releases.first { $0 != "Unreleased" }, String(version))
            // What GitHub shows between a release and the one before.
            for (release, older) in zip(releases, releases.dropFirst()) {
                let range = release == "Unreleased" ? "\(older)...main" : "\(older)...\(release)"
                XCTAssertTrue(changes.contains("\n[\(release)]: ../../compare/\(range)\n"), release)
            }
            for article in try Snippets.files(in: Snippets.catalog, ".md") {
                for mention in try Snippets.text(article).components(separatedBy: "from: \"").dropFirst() {
                    XCTAssertEqual(mention.prefix { $0 != "\"" }, version, article.path)
                }
            }
        }

        /// The pictures, and the READMEs if they have any, show numbers of the article, where new ones are written.
        func testNumbersOfSpeedAreThoseOfTheArticle() throws {
            let article = Set(
                numbers(try Snippets.text(Snippets.catalog.appendingPathComponent("Articles/Performance.md")))
            )
            for (name, least) in [("speed", 4), ("history", 2)] {
                for theme in ["", "~dark"] {
                    let picture = try Snippets.text(
                        Snippets.catalog.appendingPathComponent("Resources/\(name)\(theme).svg")
                    )
                    .components(separatedBy: "\">").dropFirst().map { $0.prefix { $0 != "<" } }
                    .filter { $0.contains(",") && $0.allSatisfy { $0.isNumber || $0 == "," } }
                    XCTAssertGreaterThanOrEqual(picture.count, least, name)
                    XCTAssertEqual(
                        Set(picture.map(String.init)).subtracting(article), [],
                        "write it in Performance, run .ci/speed-picture and .ci/speed-history --draw")
                }
            }
            for numbers in try languages.map({ numbers(try Snippets.text($0)) }) {
                XCTAssertEqual(Set(numbers).subtracting(article), [], "write it in Performance")
            }
        }

        /// The levels of the headings, in order.
        private func headings(_ text: String) -> [String] {
            text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map {
                String($0.prefix { $0 == "#" })
            }
        }

        /// Where links and pictures lead, but for those from one language to the other.
        private func targets(_ text: String) -> [String] {
            text.components(separatedBy: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
                .filter { !languages.contains($0) } + pictures(text)
        }

        /// The pictures of `<picture>`, which GitHub shows by the theme of the reader.
        private func pictures(_ text: String) -> [String] {
            ["src=\"", "srcset=\""].flatMap { text.components(separatedBy: $0).dropFirst() }
                .map { String($0.prefix { $0 != "\"" }) }
        }

        /// The targets, with English articles for the Chinese ones, and without the Chinese landing page.
        private func sharedTargets(_ text: String) -> [String] {
            targets(text).filter { !$0.hasSuffix("/zh-CN/Chinese.md") && !$0.hasSuffix(".png") }.map {
                $0.replacingOccurrences(of: "/zh-CN/", with: "/")
                    .replacingOccurrences(of: "-zh.md", with: ".md")
            }
        }

        /// What stands in tables as numbers with a comma.
        private func numbers(_ text: String) -> [String] {
            text.components(separatedBy: " | ").map { $0.prefix { $0.isNumber || $0 == "," } }
                .filter { $0.contains(",") }.map(String.init)
        }

        /// How many columns each row of a table has.
        private func rows(_ text: String) -> [String] {
            text.components(separatedBy: "\n").filter { $0.hasPrefix("|") }
                .map { "\($0.filter { $0 == "|" }.count)" }
        }
    }
#endif
