import XCTest

@testable import ManagerGenerator

/// Which lists are pages. Their values are judged in the generated package.
final class PageTests: XCTestCase {
    func testListWithoutACursorIsNoPage() throws {
        var options = GeneratorOptions(module: "EverythingAPI")
        options.paging = constructsPaging
        let input = testFolder.appendingPathComponent("Fixtures/constructs.json").path
        let generation = try Generation(Description(at: input), options: options)
        func text(_ name: String) throws -> String {
            try XCTUnwrap(generation.files.first { $0.path.hasSuffix("/\(name).swift") }).text
        }
        XCTAssertTrue(try text("ListEndlessManager").contains(": APIManager<EndlessPage>"))
        XCTAssertTrue(try text("ListPricedManager").contains(": APIManager<PricedPage>"))
        let notes = generation.notes.map { "\($0.place) \($0.text)" }
        for note in [
            "constructs.json#/paths/~1pages~1endless/get takes a cursor, but its response has none; it is not a PagedAPIManager.",
            "constructs.json#/paths/~1pages~1priced/get takes a page, but the total of its response has another type than a page has; it is not a PagedAPIManager.",
        ] {
            XCTAssertTrue(notes.contains(note), "\(notes)")
        }
    }
}
