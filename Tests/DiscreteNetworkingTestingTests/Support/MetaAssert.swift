import DiscreteNetworkingTesting
import XCTest

/// Fails unless an assertion of the kit fails, once, at the given line of the caller's file, with a message that has
/// these parts in it.
@MainActor
func assertCaught(
    _ parts: String..., at expected: UInt? = nil, file: StaticString = #filePath, line: UInt = #line,
    by body: @MainActor () async throws -> Void
) async rethrows {
    let failures = try await collectFailures(body)
    XCTAssertEqual(failures.count, 1, "\(failures.map(\.message))", file: file, line: line)
    guard let failure = failures.first else { return }
    for part in parts where !failure.message.contains(part) {
        XCTFail("“\(part)” is not in:\n\(failure.message)", file: file, line: line)
    }
    XCTAssertEqual(failure.line.file.description, file.description, file: file, line: line)
    // By default on one of the few lines of the closure.
    if let expected {
        XCTAssertEqual(failure.line.line, expected, file: file, line: line)
    } else {
        XCTAssertTrue(
            line...line + 15 ~= failure.line.line, "line \(failure.line.line)", file: file, line: line)
    }
}
