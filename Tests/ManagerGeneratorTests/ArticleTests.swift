import Foundation
import XCTest

@testable import ManagerGenerator

/// The article Generating managers.
final class ArticleTests: XCTestCase {
    func testTheArticleShowsWhatIsGenerated() throws {
        let article = testFolder.appendingPathComponent(
            "../../Sources/DiscreteNetworking/DiscreteNetworking.docc/Articles/GeneratingManagers.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        func block(_ language: String) throws -> String {
            try XCTUnwrap(
                text.components(separatedBy: "\n```\(language)\n").dropFirst().first?
                    .components(separatedBy: "\n```").first)
        }
        let folder = try TemporaryFolder()
        let input = try folder.write(try block("yaml"), to: "poetry.yaml")
        let generated: Generation
        do throws(GeneratorError) {
            generated = try Generation(
                Description(at: input), options: GeneratorOptions(module: "PoetryAPI"))
        } catch {
            guard error.message.contains("neither a ruby nor a python3") else { throw error }
            if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil { XCTFail(error.message) }
            throw XCTSkip(error.message)
        }
        XCTAssertEqual(generated.files.count, 8)
        let code = generated.files.map(\.text).joined(separator: "\n")
        let declarations = try block("swift").components(separatedBy: "\n}\n")
        XCTAssertEqual(declarations.count, 3)
        for declaration in declarations {
            let shown = declaration.trimmingCharacters(in: .newlines)
            XCTAssertTrue(code.contains(shown), "The generator does not write: \(shown)")
        }
    }
}
