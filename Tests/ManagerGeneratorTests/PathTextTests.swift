import XCTest

@testable import ManagerGenerator

/// What of a path in a description belongs to the URL.
final class PathTextTests: XCTestCase {
    /// As Matrix describes two bodies of one endpoint.
    func testASpaceAtTheEndOfAPathIsNotSent() throws {
        let operations = ["inviteUser": " ", "inviteBy3PID": ""].map { id, space in
            #""/rooms/invite\#(space)": {"post": {"operationId": "\#(id)", "responses": {"204": {"description": ""}}}}"#
        }
        let generation = try generate(paths: "{\(operations.joined(separator: ", "))}")
        for name in ["InviteUserManager", "InviteBy3PIDManager"] {
            let file = try XCTUnwrap(generation.files.first { $0.path.hasSuffix("/\(name).swift") }).text
            XCTAssertTrue(file.contains("methodName = \"rooms/invite\"\n"), file)
            let test = try XCTUnwrap(generation.files.first { $0.path.hasSuffix("/\(name)Tests.swift") }).text
            XCTAssertTrue(test.contains("/rooms/invite\""), test)
        }
    }

    func testASpaceInsideAPathIsKept() {
        XCTAssertEqual(PathText("/a b?c=d ").path, "/a b")
        XCTAssertEqual(PathText("/a b?c=d ").query, "c=d")
        XCTAssertEqual(PathText("/a b/ #e").path, "/a b/")
    }
}
