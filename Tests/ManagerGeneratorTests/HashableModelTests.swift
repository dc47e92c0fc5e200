import XCTest

@testable import ManagerGenerator

/// Models are `Hashable` where the user asks for it.
final class HashableModelTests: XCTestCase {
    private static let schemas =
        ##"{"Poem": {"type": "object", "properties": {"poet": {"$ref": "#/components/schemas/Poet"}}}, "Poet": {"type": "object", "properties": {"name": {"type": "string"}}}, "Book": {"type": "object", "properties": {"year": {"type": "integer"}}}}"##

    private func conformances(_ hashable: String...) throws -> [String: String] {
        var options = GeneratorOptions(module: "ShopAPI")
        options.hashable = hashable
        let generation = try generate(#""components": {"schemas": \#(Self.schemas)}"#, options: options)
        var found: [String: String] = [:]
        for name in ["Poem", "Poet", "Book"] {
            let text = generation.model(name) ?? ""
            found[name] = ["Hashable", "Equatable"].first { text.contains("struct \(name): Codable, \($0),") }
        }
        return found
    }

    func testModelsAreEquatable() throws {
        XCTAssertEqual(
            try conformances(), ["Poem": "Equatable", "Poet": "Equatable", "Book": "Equatable"])
    }

    func testAHashableModelHasHashableModelsInside() throws {
        XCTAssertEqual(
            try conformances("Poem"), ["Poem": "Hashable", "Poet": "Hashable", "Book": "Equatable"])
    }

    func testAllModelsAreHashable() throws {
        XCTAssertEqual(try conformances("*"), ["Poem": "Hashable", "Poet": "Hashable", "Book": "Hashable"])
    }

    func testAnUnknownModelIsAnError() {
        XCTAssertThrowsError(try conformances("Peom")) { error in
            let text = String(describing: error)
            XCTAssertTrue(text.contains("--hashable Peom: there is no model"), text)
        }
    }
}
