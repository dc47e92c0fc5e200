#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    /// The article How it works lists the steps of a call as the code does.
    final class StepListTests: XCTestCase {
        private let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources")

        func testTheArticleHasTheStepsInTheOrderOfTheCode() throws {
            let code = try text("DiscreteNetworkingCore/ApiProxy/Steps/CallSteps+Composition.swift")
            let article = try text("DiscreteNetworking/DiscreteNetworking.docc/Articles/HowItWorks.md")
            let steps = names(in: code, before: "(pending")
            XCTAssertGreaterThan(steps.count, 10)
            XCTAssertEqual(names(in: article, before: "` |"), steps)
        }

        func testEachStepHasAFile() throws {
            for step in names(
                in: try text("DiscreteNetworkingCore/ApiProxy/Steps/CallSteps+Composition.swift"),
                before: "(pending")
            {
                XCTAssertTrue(
                    try text("DiscreteNetworkingCore/ApiProxy/Steps/\(step).swift").contains(
                        "struct \(step): CallStep"), step)
            }
        }

        private func text(_ path: String) throws -> String {
            try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
        }

        /// The names that end in "Step", where they stand before another text.
        private func names(in text: String, before end: String) -> [String] {
            text.components(separatedBy: end).dropLast().compactMap { part in
                let name = String(part.reversed().prefix { $0.isLetter }.reversed())
                return name.hasSuffix("Step") ? name : nil
            }
        }
    }
#endif
