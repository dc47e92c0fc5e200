import DiscreteNetworkingSupport
package import Foundation

/// Where a command writes, line by line. On a terminal, the first word of a line has a color.
///
/// Control characters are escaped, because a line may quote a server or a file.
package struct CommandOutput: Sendable {
    private let file: FileHandle
    /// Whether somebody looks, and lines can be written over.
    package let isTerminal: Bool
    /// Whether words may have a color.
    package let hasColours: Bool

    package static let standard = CommandOutput(.standardOutput)
    package static let error = CommandOutput(.standardError)

    /// - Parameter environment: `NO_COLOR` and `TERM=dumb` switch colors off (no-color.org).
    package init(
        _ file: FileHandle, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.file = file
        isTerminal = isatty(file.fileDescriptor) == 1
        hasColours =
            isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Writes a line immediately. `print` has a buffer: in a pipe, its lines are out of order with the lines of
    /// standard error.
    package func write(_ line: String) {
        let line = escaped(line)
        file.write(Data("\(hasColours ? Self.painted(line) : line)\n".utf8))
    }

    /// Shows how far a command has come: a line that the next one replaces. An empty line removes it. Writes nothing where
    /// the output is no terminal.
    package func showProgress(_ line: String) {
        if isTerminal { overwrite(line) }
    }

    /// Replaces the current line, without a newline.
    package func overwrite(_ line: String) {
        file.write(Data("\r\(line.escapingControlCharacters())\u{1B}[K".utf8))
    }

    /// Escapes the control characters of a line, except newlines, tabs and, on a terminal, the colors of this type.
    private func escaped(_ line: String) -> String {
        let text = line.escapingControlCharacters(except: ["\n", "\t"])
        guard hasColours else { return text }
        return Self.sequences.reduce(text) { text, sequence in
            text.replacingOccurrences(of: sequence.escapingControlCharacters(), with: sequence)
        }
    }

    /// A color of ECMA-48, section 8.3.117.
    package enum Colour: Int, CaseIterable, Sendable {
        case red = 31
        case green, yellow
    }

    private static let colours: [(String, Colour)] = [
        ("error:", .red), ("✗", .red), ("edited:", .red), ("breaking:", .red), ("warning:", .yellow),
        ("stale:", .yellow), ("✓", .green),
    ]

    /// Returns a word in a color.
    package static func painted(_ word: String, _ colour: Colour) -> String {
        "\(sequence(of: colour))\(word)\(normal)"
    }

    private static func sequence(of colour: Colour) -> String { "\u{1B}[1;\(colour.rawValue)m" }
    private static let normal = "\u{1B}[0m"
    private static let sequences = Colour.allCases.map(sequence) + [normal]

    /// Colours the beginning of a line.
    static func painted(_ line: String) -> String {
        guard let (word, colour) = colours.first(where: { line.hasPrefix($0.0) }) else { return line }
        return painted(word, colour) + line.dropFirst(word.count)
    }
}
