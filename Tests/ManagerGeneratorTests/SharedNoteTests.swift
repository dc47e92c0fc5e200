import Foundation
import XCTest

@testable import ManagerGenerator

/// Notes that many places of a description share.
final class SharedNoteTests: XCTestCase {
    /// FastAPI gives 560 operations of one description an empty schema; what else is reported has to be seen.
    func testANoteOfManyPlacesIsOneLine() throws {
        func lines(_ count: Int) throws -> [String] {
            let empty = #"{"200": {"description": "", "content": {"application/json": {"schema": {}}}}}"#
            let paths = (0..<count).map { #""/a\#($0)": {"get": {"responses": \#(empty)}}"# }
            let schemas = #""components": {"schemas": {"A": {"type": "int"}}}"#
            let list = #"{\#(paths.joined(separator: ", "))}"#
            return Note.lines(try generate(schemas, paths: list).notes)
        }
        func place(_ number: Int) -> String {
            "openapi.json#/paths/~1a\(number)/get/responses/200/content/application~1json"
        }
        let text = "has an empty schema; it is JSONValue."
        XCTAssertEqual(try lines(10).filter { $0.hasSuffix(text) }, (0..<10).map { "\(place($0)) \(text)" })
        let many = try lines(11)
        XCTAssertEqual(many.count, 2)
        XCTAssertEqual(
            many.last, "11 places, such as \(place(0)), \(place(1)), \(place(10)): \(text)")
        XCTAssertTrue(many[0].contains("int"), many[0])
    }
}
