import DiscreteNetworkingCommands

/// Where a command writes, line by line.
public struct Console: Sendable {
    let out: @Sendable (String) -> Void
    let error: @Sendable (String) -> Void
    /// Whether a line can be written over.
    let isTerminal: Bool
    /// Whether words may have a colour.
    let hasColours: Bool
    /// Replaces the current line, without a newline.
    let overwrite: @Sendable (String) -> Void

    public init(
        out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
        isTerminal: Bool = false, hasColours: Bool = false,
        overwrite: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.out = out
        self.error = error
        self.isTerminal = isTerminal
        self.hasColours = hasColours
        self.overwrite = overwrite
    }

    public static let standard = Console(
        out: CommandOutput.standard.write, error: CommandOutput.error.write,
        isTerminal: CommandOutput.standard.isTerminal, hasColours: CommandOutput.standard.hasColours,
        overwrite: CommandOutput.standard.overwrite)
}
