#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The article How it works lists the steps of a call as the code does.
    final class StepListTests: XCTestCase {
        private let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources")

        func testTheArticleHasTheStepsInTheOrderOfTheirPlaces() throws {
            let article = try text("DiscreteNetworking/DiscreteNetworking.docc/Articles/HowItWorks.md")
            let names = names(in: article, before: "` |")
            let places = try places()
            XCTAssertGreaterThan(names.count, 10)
            XCTAssertEqual(Set(names), Set(places.keys))
            let order = try names.map { try XCTUnwrap(places[$0], $0).rawValue }
            XCTAssertEqual(order, order.sorted())
        }

        func testTheListsHaveEachStep() throws {
            let lists = try text("DiscreteNetworkingCore/ApiProxy/Steps/CallSteps+Composition.swift")
            let companions = try Self.folders.dropFirst().flatMap(files).map(text)
            let named = ([lists] + companions).flatMap { names(in: $0, before: "(pending: ") }
            XCTAssertEqual(Set(named), try Set(places().keys))
        }

        /// Where steps are: in the core, and in the modules whose policies bring their own.
        private static let folders = [
            "DiscreteNetworkingCore/ApiProxy/Steps/", "DiscreteNetworkingCaching/",
            "DiscreteNetworkingCookies/",
            "DiscreteNetworkingResilience/", "DiscreteNetworkingTransfers/",
        ]

        /// The place of each step that has a file.
        private func places() throws -> [String: StepPlace] {
            var places: [String: StepPlace] = [:]
            for file in try Self.folders.flatMap(files)
            where file.hasSuffix("Step.swift") && !file.hasSuffix("/CallStep.swift") {
                let name = String(file.split(separator: "/").last?.dropLast(".swift".count) ?? "")
                let code = try text(file).components(separatedBy: "struct \(name): CallStep {").last
                let place = code?.components(separatedBy: "static let place = StepPlace.").dropFirst().first
                places[name] = StepPlace.allCases.first { "\($0)" == place?.prefix { $0.isLetter } }
                XCTAssertNotNil(places[name], name)
            }
            return places
        }

        private func files(in folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: sources.appendingPathComponent(folder).path)
                .filter { $0.hasSuffix(".swift") }.map { folder + $0 }
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
