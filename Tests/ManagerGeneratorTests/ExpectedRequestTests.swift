import Foundation
import XCTest

@testable import ManagerGenerator

/// What the generated tests expect in a request.
final class ExpectedRequestTests: XCTestCase {
    /// FastAPI writes the default of a float as `0.0`, and a call sends `0`.
    func testADefaultIsExpectedAsItIsSent() throws {
        for (literal, text) in [
            ("0.0", "0"), ("1.50", "1.5"), ("-2.0", "-2"), ("1e3", "1000"), ("0.1", "0.1"), ("7", "7"),
        ] {
            let parameters =
                #"[{"name": "after", "in": "query", "schema": {"type": "number", "default": \#(literal)}}]"#
            let generation = try generate(
                paths:
                    #"{"/a": {"get": {"parameters": \#(parameters), "responses": {"204": {"description": ""}}}}}"#
            )
            let test = try XCTUnwrap(
                generation.files.first { $0.path.hasSuffix("GetAManagerTests.swift") })
            XCTAssertTrue(test.text.contains(#"query: ["after": "\#(text)"]"#), test.text)
        }
    }
}
