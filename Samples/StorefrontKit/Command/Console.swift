import Foundation

/// Where a command writes, line by line.
public struct Console: Sendable {
    let out: @Sendable (String) -> Void
    let error: @Sendable (String) -> Void

    public init(
        out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void
    ) {
        self.out = out
        self.error = error
    }

    /// Past the buffer of `print`, so that lines are in order even in a pipe.
    public static let standard = Console(
        out: { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) },
        error: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
}
