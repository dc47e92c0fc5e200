/// A line of a test: where a failure of the kit is shown.
public struct TestLine: Sendable {
    /// `Module/File.swift`, as `#fileID`.
    public let fileID: StaticString
    /// The whole path, as `#filePath`.
    public let file: StaticString
    /// Counted from 1.
    public let line: UInt

    public init(fileID: StaticString, file: StaticString, line: UInt) {
        self.fileID = fileID
        self.file = file
        self.line = line
    }

    /// The assertion that is running, so that what goes wrong below it is shown there.
    @TaskLocal static var asserted: TestLine?
}

extension TestLine: CustomStringConvertible {
    /// `File.swift:12`.
    public var description: String { "\(fileID.description.split(separator: "/").last ?? ""):\(line)" }
}
