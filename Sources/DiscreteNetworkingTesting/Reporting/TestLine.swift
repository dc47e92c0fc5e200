/// A line of a test, at which failures are reported.
public struct TestLine: Sendable {
    /// The file ID, as `#fileID`.
    public let fileID: StaticString
    /// The path, as `#filePath`.
    public let file: StaticString
    /// The line number, starting with 1.
    public let line: UInt

    /// Creates a line.
    public init(fileID: StaticString, file: StaticString, line: UInt) {
        self.fileID = fileID
        self.file = file
        self.line = line
    }

    /// The running assertion, at which failures below it are reported.
    @TaskLocal static var asserted: TestLine?
}

extension TestLine: CustomStringConvertible {
    /// `File.swift:12`.
    public var description: String { "\(fileID.description.split(separator: "/").last ?? ""):\(line)" }
}
