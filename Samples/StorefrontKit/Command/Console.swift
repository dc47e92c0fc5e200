import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a command writes, line by line.
public struct Console: Sendable {
    let out: @Sendable (String) -> Void
    let error: @Sendable (String) -> Void
    /// Whether a line can be written over.
    let isTerminal: Bool
    /// Writes the line that is there anew, without an end.
    let overwrite: @Sendable (String) -> Void

    public init(
        out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
        isTerminal: Bool = false, overwrite: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.out = out
        self.error = error
        self.isTerminal = isTerminal
        self.overwrite = overwrite
    }

    /// Past the buffer of `print`, so that lines are in order even in a pipe.
    public static let standard = Console(
        out: { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) },
        error: { FileHandle.standardError.write(Data("\($0)\n".utf8)) },
        isTerminal: isatty(STDOUT_FILENO) == 1,
        overwrite: { FileHandle.standardOutput.write(Data("\r\($0)".utf8)) })
}
