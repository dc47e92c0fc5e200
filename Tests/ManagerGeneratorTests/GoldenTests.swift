import Foundation
import XCTest

@testable import ManagerGenerator

/// The generated package that lies in `Generated`. `.ci/run` compiles it and runs its tests, so that only its bytes are
/// left to compare.
///
///     swift run generate-managers Tests/ManagerGeneratorTests/Fixtures/constructs.json --module EverythingAPI \
///         --output Tests/ManagerGeneratorTests/Generated --paging number:page,size --paging cursor:cursor,limit \
///         --paging cursor:starting_after,limit --package ../../..
final class GoldenTests: XCTestCase {
    private let golden = testFolder.appendingPathComponent("Generated")
    private let byHand = "EverythingAPITests/ByHand/"

    private func generation() throws -> Generation {
        var options = GeneratorOptions(module: "EverythingAPI")
        options.paging = constructsPaging
        options.package = "../../.."
        let input = testFolder.appendingPathComponent("Fixtures/constructs.json").path
        return try Generation(Description(at: input), options: options)
    }

    func testTheBytesAreThoseOfTheRepository() throws {
        let generation = try generation()
        for file in generation.files {
            let kept = try Data(contentsOf: golden.appendingPathComponent(file.path))
            XCTAssertEqual(file.text, String(decoding: kept, as: UTF8.self), file.path)
        }
        let kept = try Data(contentsOf: golden.appendingPathComponent("EverythingAPI.generated.json"))
        XCTAssertEqual(generation.manifest.text, String(decoding: kept, as: UTF8.self))
        let files = FileManager.default.enumerator(atPath: golden.path)?.compactMap { $0 as? String } ?? []
        XCTAssertEqual(
            Set(files.filter { $0.hasSuffix(".swift") && !$0.hasPrefix(byHand) && !$0.hasPrefix(".build/") }),
            Set(generation.files.map(\.path).filter { $0.hasSuffix(".swift") }))
    }

    func testTheSameInputGivesTheSameBytes() throws {
        let (first, second) = (try generation(), try generation())
        XCTAssertEqual(first.files.map(\.path), second.files.map(\.path))
        XCTAssertEqual(first.files.map(\.text), second.files.map(\.text))
        XCTAssertEqual(first.manifest.text, second.manifest.text)
    }

    func testUnsupportedPartsAreListed() throws {
        let notes = try generation().notes.map { "\($0.place) \($0.text)" }
        for beginning in [
            "constructs.json#/components/securitySchemes/mutual is mutualTLS",
            "constructs.json#/components/schemas/Everything/properties/never allows no value",
            "constructs.json#/components/schemas/Everything/properties/tuple has elements of several types",
            "constructs.json#/components/schemas/Tree consists only of itself",
            "constructs.json#/components/schemas/Odd has the type \"strange\"",
            "constructs.json#/components/schemas/Unions/properties/unnamed/oneOf/0 has no value of the discriminator",
            "constructs.json#/paths/~1bodies~1raw/post/responses/200/content/application~1xml is XML",
        ] {
            XCTAssertTrue(notes.contains { $0.hasPrefix(beginning) }, beginning)
        }
    }
}
