import DiscreteNetworkingSupport
package import Foundation

/// Where a command writes, line by line. On a terminal, the first word of a line has a color.
///
/// Control characters are escaped, because a line may quote a server or a file.
package struct CommandOutput: Sendable {
    private let file: FileHandle
    /// Whether somebody looks, and lines can be written over.
    package let isTerminal: Bool
    private let hasColours: Bool

    package static let standard = CommandOutput(.standardOutput)
    package static let error = CommandOutput(.standardError)

    /// - Parameter environment: `NO_COLOR` and `TERM=dumb` switch colours off (no-color.org).
    package init(
        _ file: FileHandle, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.file = file
        isTerminal = isatty(file.fileDescriptor) == 1
        hasColours =
            isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Writes a line. `print` has a buffer, so that its lines and those of standard error are out of order in a pipe.
    package func write(_ line: String) {
        let line = line.escapingControlCharacters(except: Self.layout)
        file.write(Data("\(hasColours ? Self.painted(line) : line)\n".utf8))
    }

    /// Writes a line over the last one, without an end.
    package func overwrite(_ line: String) {
        file.write(Data("\r\(line.escapingControlCharacters())\u{1B}[K".utf8))
    }

    /// The control characters that commands write themselves.
    private static let layout: Set<Unicode.Scalar> = ["\n", "\t"]

    private static let red = 31, green = 32, yellow = 33
    private static let colours = [
        ("error:", red), ("✗", red), ("edited:", red), ("breaking:", red), ("warning:", yellow),
        ("stale:", yellow), ("✓", green),
    ]

    /// Colours the word that a line begins with (ECMA-48, section 8.3.117).
    static func painted(_ line: String) -> String {
        guard let (word, colour) = colours.first(where: { line.hasPrefix($0.0) }) else { return line }
        return "\u{1B}[1;\(colour)m\(word)\u{1B}[0m\(line.dropFirst(word.count))"
    }
}
