import DiscreteNetworkingCommands

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

    public static let standard = Console(
        out: CommandOutput.standard.write, error: CommandOutput.error.write,
        isTerminal: CommandOutput.standard.isTerminal, overwrite: CommandOutput.standard.overwrite)
}
