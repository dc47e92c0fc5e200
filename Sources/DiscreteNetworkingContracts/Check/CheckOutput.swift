import DiscreteNetworkingCommands

/// Where a check writes.
package struct CheckOutput {
    /// Receives lines of output.
    let out: (String) -> Void
    /// Receives the reason if nothing could be done.
    let error: (String) -> Void
    /// Whether the verdicts have a colour.
    let hasColours: Bool
    /// Receives a line that replaces the one before; an empty one removes it.
    let progress: (String) -> Void

    package init(
        out: @escaping (String) -> Void, error: @escaping (String) -> Void, hasColours: Bool = false,
        progress: @escaping (String) -> Void = { _ in }
    ) {
        (self.out, self.error, self.hasColours, self.progress) = (out, error, hasColours, progress)
    }

    /// The output of the process, with colours and progress on a terminal.
    package static var standard: CheckOutput {
        CheckOutput(
            out: CommandOutput.standard.write, error: CommandOutput.error.write,
            hasColours: CommandOutput.standard.hasColours, progress: CommandOutput.standard.showProgress)
    }
}
