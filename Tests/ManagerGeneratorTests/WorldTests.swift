#if os(Linux)
    import Foundation
    import XCTest

    @testable import ManagerGenerator

    /// Generated code and its tests in the projects that they are put into: no warning with the settings of any.
    final class WorldTests: XCTestCase {
        private func check(
            _ settings: [String], version: String = "6", file: StaticString = #filePath, line: UInt = #line
        ) throws {
            var options = GeneratorOptions(module: "EverythingAPI")
            options.paging = constructsPaging
            let input = testFolder.appendingPathComponent("Fixtures/constructs.json").path
            let generation = try Generation(Description(at: input), options: options)
            let complaints = try TypeCheck(
                settings: settings + ["-swift-version", version], testSettings: ["-swift-version", version]
            ).complaints(
                about: generation, module: "EverythingAPI")
            XCTAssertEqual(complaints.prefix(4000), "", file: file, line: line)
        }

        /// The build settings of Xcode 26's app template.
        private let template =
            ["-default-isolation", "MainActor"]
            + [
                "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "MemberImportVisibility",
            ]
            .flatMap { ["-enable-upcoming-feature", $0] }

        func testClientsCompileAsInXcode26() throws {
            try FullLength.require()
            try check(template)
        }

        func testXcode26InSwift5() throws {
            try FullLength.require()
            try check(
                template + ["-strict-concurrency=complete"]
                    + [
                        "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
                        "InferSendableFromCaptures",
                    ]
                    .flatMap { ["-enable-upcoming-feature", $0] }, version: "5")
        }

        func testClientsCompileInSwift5Mode() throws {
            try FullLength.require()
            for checking in ["minimal", "targeted", "complete"] {
                try check(["-strict-concurrency=\(checking)"], version: "5")
            }
        }

        func testClientsCompileWithExistentialAny() throws {
            try FullLength.require()
            try check(["-enable-upcoming-feature", "ExistentialAny"])
        }
    }
#endif
