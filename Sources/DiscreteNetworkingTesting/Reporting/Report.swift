#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Fails the running test at a line: by Swift Testing where one of its tests is running, else by XCTest.
func report(_ message: String, at line: TestLine) {
    if let collect = TestFailure.collector { return collect(TestFailure(message: message, line: line)) }
    #if canImport(Testing)
        if Test.current != nil {
            let location = SourceLocation(
                fileID: line.fileID.description, filePath: line.file.description, line: Int(line.line),
                column: 1)
            Issue.record(Comment(rawValue: message), sourceLocation: location)
            return
        }
    #endif
    #if canImport(XCTest)
        XCTFail(message, file: line.file, line: line.line)
    #endif
}

/// What an assertion of the kit says when it fails.
public struct TestFailure: Sendable {
    /// What is wrong, and what to look at.
    public let message: String
    /// Where it is shown.
    public let line: TestLine

    @TaskLocal static var collector: (@Sendable (TestFailure) -> Void)?
}
