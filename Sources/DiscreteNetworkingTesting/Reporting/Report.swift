#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Fails the running test at a line, with Swift Testing or XCTest.
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

/// A failure of an assertion of the kit.
public struct TestFailure: Sendable {
    /// What is wrong, and what to check.
    public let message: String
    /// The line at which it is reported.
    public let line: TestLine

    @TaskLocal static var collector: (@Sendable (TestFailure) -> Void)?
}
